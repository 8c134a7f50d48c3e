// SPDX-License-Identifier: MIT
// Made from studio/wasm/*.h by bindings/generate.mjs: do not edit, run `npm run bindings`.

/** An address in the module's memory, of something of that C type. 0: none. */
export type Pointer<T extends string = any> = number & { readonly pointsTo?: T };

export const STUDIO_POSE_NUMBERS = 13;
export const STUDIO_POSE_POINTS = 11;
export const STUDIO_POSE_VIEW = 15;
export const STUDIO_CLIMB_NUMBERS = 10;
export const STUDIO_CROWD_COUNTS = 5;
export const STUDIO_FLOOR_COUNTS = 4;
export const STUDIO_TRIANGLE_FLOATS = 8;
export const STUDIO_WALK_IDLE = 0;
export const STUDIO_WALK_ON = 1;
export const STUDIO_WALK_ARRIVED = 2;
export const STUDIO_WALK_STUCK = 3;
export const STUDIO_STEP_FLOATS = 8;
export const STUDIO_REPORT_FLOATS = 8;
export const STUDIO_GAIT_FLOATS = 13;
export const STUDIO_THING_FLOATS = 8;
export const STUDIO_JOINT_FLOATS = 7;
export const STUDIO_SHAPE_FLOATS = 13;
export const STUDIO_GRADE_FLOATS = 6;
export const LOPE_OK = 0;
export const LOPE_PARTIAL = 1;
export const LOPE_NOT_FOUND = 2;
export const LOPE_BAD_DATA = 3;
export const LOPE_UNSUPPORTED = 4;
export const LOPE_MISMATCH = 5;
export const LOPE_IO = 6;
export const LOPE_NO_MEMORY = 7;
export const LOPE_INTERRUPTED = 8;
export const LOPE_STATUS_COUNT = 9;
export const LOPE_HIPS = 0;
export const LOPE_SPINE = 1;
export const LOPE_CHEST = 2;
export const LOPE_NECK = 3;
export const LOPE_HEAD = 4;
export const LOPE_LEFT_COLLAR = 5;
export const LOPE_LEFT_SHOULDER = 6;
export const LOPE_LEFT_ELBOW = 7;
export const LOPE_LEFT_HAND = 8;
export const LOPE_RIGHT_COLLAR = 9;
export const LOPE_RIGHT_SHOULDER = 10;
export const LOPE_RIGHT_ELBOW = 11;
export const LOPE_RIGHT_HAND = 12;
export const LOPE_LEFT_HIP = 13;
export const LOPE_LEFT_KNEE = 14;
export const LOPE_LEFT_ANKLE = 15;
export const LOPE_LEFT_TOE = 16;
export const LOPE_RIGHT_HIP = 17;
export const LOPE_RIGHT_KNEE = 18;
export const LOPE_RIGHT_ANKLE = 19;
export const LOPE_RIGHT_TOE = 20;
export const LOPE_ROLE_COUNT = 21;
export const LOPE_CONTACT_LEFT_HEEL = 1;
export const LOPE_CONTACT_LEFT_TOE = 2;
export const LOPE_CONTACT_RIGHT_HEEL = 4;
export const LOPE_CONTACT_RIGHT_TOE = 8;
export const LOPE_CONTACT_LEFT_HAND = 16;
export const LOPE_CONTACT_RIGHT_HAND = 32;
export const LOPE_CONTACT_LEFT_KNEE = 64;
export const LOPE_CONTACT_RIGHT_KNEE = 128;
export const LOPE_CONTACT_SEAT = 256;
export const LOPE_MEMBER_GONE = 0;
export const LOPE_MEMBER_IDLE = 1;
export const LOPE_MEMBER_GOING = 2;
export const LOPE_MEMBER_ARRIVED = 3;
export const LOPE_FOLLOW_IDLE = 0;
export const LOPE_FOLLOW_SEARCHING = 1;
export const LOPE_FOLLOW_ARRIVED = 2;
export const LOPE_FOLLOW_PARTIAL = 3;
export const LOPE_PATH_FOUND = 0;
export const LOPE_PATH_NONE = 1;
export const LOPE_PATH_START_OUTSIDE = 2;
export const LOPE_PATH_GOAL_OUTSIDE = 3;
export const LOPE_PATH_START_BLOCKED = 4;
export const LOPE_PATH_GOAL_BLOCKED = 5;
export const LOPE_PATH_START_TIGHT = 6;
export const LOPE_PATH_GOAL_TIGHT = 7;
export const LOPE_RING_REST = 0;
export const LOPE_RING_WALK = 1;
export const LOPE_RING_RUN = 2;
export const LOPE_RING_OWN = 3;
export const LOPE_GAIT_STAND = 0;
export const LOPE_GAIT_WALK = 1;
export const LOPE_GAIT_RUN = 2;
export const LOPE_GAIT_OWN = 3;
export const LOPE_HOLD_PENDENT = 0;
export const LOPE_HOLD_LOAD_BEARING = 1;
export const LOPE_HOLD_HYBRID = 2;
export const LOPE_HOLD_BRACE = 3;
export const LOPE_HOLD_KIND_COUNT = 4;
export const LOPE_HOLD_BY_SLOPE = 4;
export const LOPE_MODE_WALK = 0;
export const LOPE_MODE_CLIMB = 1;
export const LOPE_MODE_SWING = 2;
export const LOPE_MODE_CRAWL = 3;
export const LOPE_MODE_SIDLE = 4;
export const LOPE_MODE_SIT = 5;
export const LOPE_MODE_COUNT = 6;
export const LOPE_PLANNER_CONTACTS = 0;
export const LOPE_PLANNER_THESIS = 1;
export const LOPE_PLANNER_FLIGHT = 2;
export const LOPE_PLANNER_COUNT = 3;

export interface Bridge {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  _initialize?(): void;
  /** `names`: one zero-terminated text after the other. `model`: joints at rest in the world, as in poses. `tips`: x y z each in the joint's frame, where the soles of the feet end; zero: unknown. */
  studio_avatar_create(names: Pointer<"char">, parents: Pointer<"int">, model: Pointer<"float">, tips: Pointer<"float">, count: number): Pointer<"studio_avatar">;
  studio_avatar_destroy(avatar: Pointer<"studio_avatar">): void;
  /** Shared with the avatar; holds as long as that does. */
  studio_avatar_skeleton(avatar: Pointer<"studio_avatar">): Pointer<"lope_skeleton">;
  /** From now on it follows characters of that skeleton. */
  studio_avatar_follow(avatar: Pointer<"studio_avatar">, source: Pointer<"lope_skeleton">): number;
  /** Its joints in the world, in the place and in the pose of a character that stands on a floor of that height. */
  studio_avatar_pose(avatar: Pointer<"studio_avatar">, pose: Pointer<"float">, floor: number, out: Pointer<"float">): void;
  /** A climbing scene as the tool reads it, with the same messages. */
  studio_climb_read(text: Pointer<"char">, size: number, name: Pointer<"char">): Pointer<"lope_climb_scene">;
  studio_climb_scene_destroy(scene: Pointer<"lope_climb_scene">): void;
  /** Holds, those of stretches, surfaces and placing too: x y kind (lope_hold_kind) each. Returns how many there are and writes the first `capacity`. */
  studio_climb_holds(scene: Pointer<"lope_climb_scene">, out: Pointer<"float">, capacity: number): number;
  /** Obstacles: how many corners number `obstacle` has, of which the first `capacity` are written as x y; -1 past the last. */
  studio_climb_obstacle(scene: Pointer<"lope_climb_scene">, obstacle: number, out: Pointer<"float">, capacity: number): number;
  studio_watch_with(watch: Pointer<"studio_watch">): void;
  /** Its points, x y each: hip, neck, top of the head, elbows and knees, hands and feet. */
  studio_pose_points(pose: Pointer<"double">, out: Pointer<"double">): void;
  /** What it holds (four limbs), the mode or -1, discomfort, radians beyond a range, clearance, then the heuristics. */
  studio_pose_look(scene: Pointer<"lope_climb_scene">, pose: Pointer<"double">, out: Pointer<"double">): void;
  /** A hand or foot goes to a place, or as near as it gets. */
  studio_pose_reach(pose: Pointer<"double">, limb: number, x: number, y: number): void;
  /** The most comfortable pose nearby that holds the same; 0 where there is none. */
  studio_pose_settle(scene: Pointer<"lope_climb_scene">, pose: Pointer<"double">): number;
  /** A pose to begin with: standing, climbing, ... near a place; 0, with studio_error, where there is none. */
  studio_pose_at(scene: Pointer<"lope_climb_scene">, mode: number, facing: number, x: number, y: number, pose: Pointer<"double">): number;
  studio_heuristic_name(heuristic: number): Pointer<"char">;
  studio_heuristics(mode: number): number;
  /** Plans for the body of a character and performs it, which takes a while. `planner` is a lope_climb_planner. `before` is NULL, or a plan of the same scene that is taken back to `frame` and goes on from there, best with another seed. NULL only where nothing came out; where nothing led to the goal, studio_error says why. */
  studio_climb_solve(scene: Pointer<"lope_climb_scene">, skeleton: Pointer<"lope_skeleton">, before: Pointer<"studio_climb">, frame: number, planner: number, seed: number, budget: number, rate: number): Pointer<"studio_climb">;
  studio_climb_destroy(plan: Pointer<"studio_climb">): void;
  /** A plan that was kept: see studio_written for the file. Opening performs it by the character it was made for; NULL, with studio_error, where it is of another scene or body. */
  studio_climb_save(plan: Pointer<"studio_climb">): number;
  studio_climb_open(scene: Pointer<"lope_climb_scene">, skeleton: Pointer<"lope_skeleton">, data: Pointer, size: number, name: Pointer<"char">): Pointer<"studio_climb">;
  studio_climb_numbers(plan: Pointer<"studio_climb">, out: Pointer<"double">): void;
  /** Pose of a frame. Returns what touches (a mask of lope_contact). */
  studio_climb_pose(plan: Pointer<"studio_climb">, frame: number, pose: Pointer<"float">): number;
  /** The mode of a frame (lope_grasp_mode), and what is held: the hold of each limb in the order of lope_grasp_limb, -1. */
  studio_climb_held(plan: Pointer<"studio_climb">, frame: number, out: Pointer<"int">): number;
  /** The frame at which change of grasp number `step` is done; 0 is the start. */
  studio_climb_step_frame(plan: Pointer<"studio_climb">, step: number): number;
  /** An empty world with the bounds and obstacles of a scene, of which a copy is not made: it must outlive the crowd. */
  studio_crowd_create(map: Pointer<"lope_mobility">, scene: Pointer<"lope_scene">, seed: number): Pointer<"studio_crowd">;
  studio_crowd_destroy(crowd: Pointer<"studio_crowd">): void;
  /** One more character. Returns its number, -1 where it fails. */
  studio_crowd_spawn(crowd: Pointer<"studio_crowd">, x: number, z: number, yaw: number): number;
  /** Name of a tag that some pose of the map shows; "" where none does. */
  studio_mobility_tag(map: Pointer<"lope_mobility">, tag: number): Pointer<"char">;
  /** What spawned characters like to do from now on: tags as bits 1 << lope_tag. */
  studio_crowd_like(crowd: Pointer<"studio_crowd">, prefer: number, avoid: number): void;
  /** As many more characters that follow the flows of the scene; once. LOPE_PARTIAL where not all found room. */
  studio_crowd_fill(crowd: Pointer<"studio_crowd">, count: number, seed: number): number;
  studio_crowd_count(crowd: Pointer<"studio_crowd">): number;
  /** Obstacles that come and go. They return their number, or -1. */
  studio_crowd_add_box(crowd: Pointer<"studio_crowd">, x: number, z: number, width: number, depth: number, yaw: number): number;
  studio_crowd_add_cylinder(crowd: Pointer<"studio_crowd">, x: number, z: number, radius: number): number;
  studio_crowd_add_polygon(crowd: Pointer<"studio_crowd">, corners: Pointer<"float">, count: number): number;
  studio_crowd_remove(crowd: Pointer<"studio_crowd">, obstacle: number): void;
  studio_crowd_is_free(crowd: Pointer<"studio_crowd">, x: number, z: number, radius: number): number;
  /** Sends a character to a place to stand there. LOPE_PARTIAL: as near to it as it can. */
  studio_crowd_go(crowd: Pointer<"studio_crowd">, character: number, x: number, z: number): number;
  studio_crowd_step(crowd: Pointer<"studio_crowd">, dt: number): void;
  /** All poses, one character after the other, into out[count * joints * STUDIO_JOINT_FLOATS]. */
  studio_crowd_poses(crowd: Pointer<"studio_crowd">, out: Pointer<"float">): void;
  /** x z yaw of a character; lope_member_state; lope_contact mask. */
  studio_crowd_ground(crowd: Pointer<"studio_crowd">, character: number, out: Pointer<"float">): void;
  studio_crowd_state(crowd: Pointer<"studio_crowd">, character: number): number;
  studio_crowd_contacts(crowd: Pointer<"studio_crowd">, character: number): number;
  /** Which clip it plays, and where in it. */
  studio_crowd_clip(crowd: Pointer<"studio_crowd">, character: number, time: Pointer<"double">): number;
  /** Where it will be as it is planned: x z yaw at `count` moments, `interval` seconds apart. */
  studio_crowd_plan(crowd: Pointer<"studio_crowd">, character: number, interval: number, count: number, out: Pointer<"float">): void;
  /** Where the pose it comes to next can get it. Returns how many choices there are and writes the first `capacity`: x z yaw in the world and seconds for each. 0 where that pose has no choices of its own. */
  studio_crowd_reach(crowd: Pointer<"studio_crowd">, character: number, out: Pointer<"float">, capacity: number): number;
  /** The way of one of those choices: x z of up to `capacity` places; returns how many there are. */
  studio_crowd_reach_way(crowd: Pointer<"studio_crowd">, character: number, choice: number, out: Pointer<"float">, capacity: number): number;
  studio_crowd_counts(crowd: Pointer<"studio_crowd">, out: Pointer<"double">): void;
  studio_crowd_hash(crowd: Pointer<"studio_crowd">): bigint;
  studio_tile_open(data: Pointer, size: number, name: Pointer<"char">): Pointer<"lope_tile">;
  studio_tile_close(tile: Pointer<"lope_tile">): void;
  studio_tile_set(tile: Pointer<"lope_tile">): Pointer<"lope_set">;
  studio_tile_size(tile: Pointer<"lope_tile">): number;
  /** columns * rows tiles around the origin, and room for people. The tile must outlive it. */
  studio_floor_create(tile: Pointer<"lope_tile">, columns: number, rows: number, people: number, seed: number): Pointer<"lope_patch_world">;
  studio_floor_destroy(floor: Pointer<"lope_patch_world">): void;
  /** Takes a tile away or lays it again; tiles are counted along x, then z. */
  studio_floor_lay(floor: Pointer<"lope_patch_world">, column: number, row: number, present: boolean | number): number;
  /** A convex obstacle of `count` corners x z, grown by `round` metres. Returns its number, -1: refused. */
  studio_floor_add(floor: Pointer<"lope_patch_world">, corners: Pointer<"float">, count: number, round: number): number;
  studio_floor_remove(floor: Pointer<"lope_patch_world">, obstacle: number): void;
  /** Puts somebody at the free gate nearest to a place. Returns the number, -1: no room. */
  studio_floor_spawn(floor: Pointer<"lope_patch_world">, x: number, z: number): number;
  /** Puts people anywhere until there are `count`. Returns how many there are. */
  studio_floor_fill(floor: Pointer<"lope_patch_world">, count: number, seed: number): number;
  studio_floor_count(floor: Pointer<"lope_patch_world">): number;
  studio_floor_alive(floor: Pointer<"lope_patch_world">, character: number): number;
  studio_floor_go(floor: Pointer<"lope_patch_world">, character: number, x: number, z: number): number;
  studio_floor_roam(floor: Pointer<"lope_patch_world">, character: number): void;
  studio_floor_arrived(floor: Pointer<"lope_patch_world">, character: number): number;
  studio_floor_step(floor: Pointer<"lope_patch_world">, dt: number): void;
  /** Poses of everybody, one after the other; those who are no more keep what is there. */
  studio_floor_poses(floor: Pointer<"lope_patch_world">, out: Pointer<"float">): void;
  studio_floor_ground(floor: Pointer<"lope_patch_world">, character: number, out: Pointer<"float">): void;
  studio_floor_contacts(floor: Pointer<"lope_patch_world">, character: number): number;
  /** What somebody plays: returns the clip and fills in its time. */
  studio_floor_clip(floor: Pointer<"lope_patch_world">, character: number, time: Pointer<"double">): number;
  /** How much of each tile's motion can be used, 0 to 1, and -1 where no tile is: columns * rows floats. */
  studio_floor_shares(floor: Pointer<"lope_patch_world">, out: Pointer<"float">): void;
  /** Ways of one tile as line pieces x z x z: those that can be used. Every `every`-th way is drawn. Writes up to `capacity` pieces and returns how many. */
  studio_floor_ways(floor: Pointer<"lope_patch_world">, tile: number, every: number, out: Pointer<"float">, capacity: number): number;
  studio_floor_survey(floor: Pointer<"lope_patch_world">, out: Pointer<"double">): number;
  /** How many segments were chosen by all people so far, and how many of them led into somebody's place. */
  studio_floor_chosen(floor: Pointer<"lope_patch_world">): number;
  studio_floor_forced(floor: Pointer<"lope_patch_world">): number;
  studio_floor_hash(floor: Pointer<"lope_patch_world">): bigint;
  /** Empty ground between two corners. `work`: maps asked and walks tried in one step of time. */
  studio_follow_create(maps: Pointer<"lope_maps">, lowX: number, lowZ: number, highX: number, highZ: number, work: number): Pointer<"studio_follow">;
  studio_follow_destroy(follow: Pointer<"studio_follow">): void;
  studio_follow_add(follow: Pointer<"studio_follow">, corners: Pointer<"float">, count: number): number;
  studio_follow_move(follow: Pointer<"studio_follow">, obstacle: number, corners: Pointer<"float">, count: number): number;
  studio_follow_remove(follow: Pointer<"studio_follow">, obstacle: number): void;
  /** Metres to the nearest obstacle, 0 inside of one. */
  studio_follow_clearance(follow: Pointer<"studio_follow">, x: number, z: number): number;
  studio_follow_plan(follow: Pointer<"studio_follow">, fromX: number, fromZ: number, toX: number, toZ: number, clearance: number): number;
  /** Radius of the widest body that could go there. */
  studio_follow_widest(follow: Pointer<"studio_follow">, fromX: number, fromZ: number, toX: number, toZ: number): number;
  /** Pictures: each returns how many there are and writes up to `capacity`. Points: x z. Portals: left x z, right x z. Triangles: x z of three corners, a mask of those edges that are walls, whether it is blocked. */
  studio_follow_points(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  studio_follow_portals(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  studio_follow_triangles(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  /** A new character at the beginning of the path, which searches and plays along it. */
  studio_follow_begin(follow: Pointer<"studio_follow">): number;
  /** The same character, along the path that was planned last; that one should begin at studio_follow_end. */
  studio_follow_again(follow: Pointer<"studio_follow">): number;
  /** x z yaw where what it plays now ends. */
  studio_follow_end(follow: Pointer<"studio_follow">, out: Pointer<"float">): void;
  studio_follow_step(follow: Pointer<"studio_follow">, dt: number): void;
  /** The pose into out[joints * STUDIO_JOINT_FLOATS]; returns contacts. Once for each step: feet are locked from call to call. */
  studio_follow_pose(follow: Pointer<"studio_follow">, out: Pointer<"float">): number;
  /** studio_walk_state and lope_follow_state. */
  studio_follow_state(follow: Pointer<"studio_follow">): number;
  studio_follow_search_state(follow: Pointer<"studio_follow">): number;
  /** Steps found but not played. */
  studio_follow_ahead(follow: Pointer<"studio_follow">): number;
  /** Clip that is played and the time in it. */
  studio_follow_clip(follow: Pointer<"studio_follow">, time: Pointer<"double">): number;
  studio_follow_steps(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  /** The way of the hips along the whole walk: x z. */
  studio_follow_hips(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  /** Where the map of a step of the walk leads: x z of up to `capacity` of its nodes, evenly chosen. Returns how many were written. */
  studio_follow_map(follow: Pointer<"studio_follow">, step: number, out: Pointer<"float">, capacity: number): number;
  studio_follow_report(follow: Pointer<"studio_follow">, out: Pointer<"float">): void;
  /** With maps. LOPE_OK: arrives. The report is of this search. */
  studio_follow_with_maps(follow: Pointer<"studio_follow">, report: Pointer<"float">): number;
  /** The way of that walk: x z. */
  studio_follow_with_maps_hips(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  /** Nodes of maps it looked at, for a picture: x z. */
  studio_follow_with_maps_tree(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  /** Without maps: a search of lope_rival_kind with so many nodes at most. */
  studio_follow_rival(follow: Pointer<"studio_follow">, kind: number, nodes: number, report: Pointer<"float">): number;
  /** What it looked at: lines x z, x z, evenly chosen; and its walk: x z. */
  studio_follow_rival_tree(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  studio_follow_rival_walk(follow: Pointer<"studio_follow">, out: Pointer<"float">, capacity: number): number;
  /** Of all poses and steps so far: two machines that went the same way have the same. */
  studio_follow_hash(follow: Pointer<"studio_follow">): bigint;
  /** A file in memory, which must outlive the rings. `name` is for messages. */
  studio_rings_open(data: Pointer, size: number, name: Pointer<"char">): Pointer<"lope_rings">;
  studio_rings_close(rings: Pointer<"lope_rings">): void;
  studio_rings_skeleton(rings: Pointer<"lope_rings">): Pointer<"lope_skeleton">;
  /** A character that stands at a place and faces a way; ground is looked for from `above` down. Without `ik` its feet are where its weights alone put them. */
  studio_gait_create(rings: Pointer<"lope_rings">, terrain: Pointer<"lope_terrain">, x: number, z: number, yaw: number, above: number, ik: boolean | number): Pointer<"lope_gait">;
  studio_gait_destroy(gait: Pointer<"lope_gait">): void;
  /** Goes on by dt seconds; `mode` is a lope_gait_mode. */
  studio_gait_step(gait: Pointer<"lope_gait">, terrain: Pointer<"lope_terrain">, mode: number, direction: number, stride: number, dt: number): void;
  /** The same towards a place, where it stops. Returns whether it is there. */
  studio_gait_step_to(gait: Pointer<"lope_gait">, terrain: Pointer<"lope_terrain">, mode: number, x: number, z: number, stride: number, dt: number): number;
  /** Along a way of places x z; `next` holds the corner that is headed for and begins at 0. Returns whether it is at its end. */
  studio_gait_step_along(gait: Pointer<"lope_gait">, terrain: Pointer<"lope_terrain">, mode: number, way: Pointer<"float">, count: number, next: Pointer<"int">, stride: number, dt: number): number;
  studio_gait_pose(gait: Pointer<"lope_gait">, rings: Pointer<"lope_rings">, pose: Pointer<"float">): void;
  studio_gait_contacts(gait: Pointer<"lope_gait">): number;
  /** x z yaw. */
  studio_gait_ground(gait: Pointer<"lope_gait">, out: Pointer<"float">): void;
  studio_gait_state(gait: Pointer<"lope_gait">, rings: Pointer<"lope_rings">, out: Pointer<"float">): void;
  /** The motion that counts most in what it plays: a number for ring, side and sample, and the frame in it. */
  studio_gait_sample(gait: Pointer<"lope_gait">, frame: Pointer<"double">): number;
  /** The pose of such a motion by itself, its hips above a place; the ring's name, which of its samples, of how many. */
  studio_rings_sample_pose(rings: Pointer<"lope_rings">, sample: number, frame: number, x: number, z: number, yaw: number, pose: Pointer<"float">): void;
  studio_rings_sample_name(rings: Pointer<"lope_rings">, sample: number): Pointer<"char">;
  /** Contact spheres of the step that is being made, where they are in the world: x y z, and 1 where the ground is within their radius. Returns how many there are and writes the first `capacity`; 0 while it stands. */
  studio_gait_spheres(gait: Pointer<"lope_gait">, rings: Pointer<"lope_rings">, terrain: Pointer<"lope_terrain">, out: Pointer<"float">, capacity: number): number;
  studio_gait_sphere_radius(gait: Pointer<"lope_gait">): number;
  studio_blocks_open(data: Pointer, size: number, name: Pointer<"char">): Pointer<"lope_blocks">;
  studio_blocks_close(blocks: Pointer<"lope_blocks">): void;
  studio_blocks_set(blocks: Pointer<"lope_blocks">): Pointer<"lope_set">;
  /** What bodies can do, of parts that were opened one by one and must outlive it. NULL where their skeletons differ. */
  studio_moves_join(walking: Pointer<"lope_mobility">, rings: Pointer<"lope_rings">, blocks: Pointer<"lope_blocks">): Pointer<"lope_moves">;
  studio_moves_close(moves: Pointer<"lope_moves">): void;
  /** The clips that it walks by. */
  studio_moves_set(moves: Pointer<"lope_moves">): Pointer<"lope_set">;
  /** A world of a kind ("office", "playground") and size. The moves must outlive it. */
  studio_office_create(moves: Pointer<"lope_moves">, kind: Pointer<"char">, size: number, seed: number): Pointer<"studio_office">;
  /** The same from a file: a level or any scene as JSON, with the tool's messages. */
  studio_office_read(moves: Pointer<"lope_moves">, text: Pointer<"char">, size: number, name: Pointer<"char">, seed: number): Pointer<"studio_office">;
  studio_office_destroy(office: Pointer<"studio_office">): void;
  /** The level as a file, see studio_written. */
  studio_office_write(office: Pointer<"studio_office">): number;
  studio_office_thing_count(office: Pointer<"studio_office">): number;
  studio_office_thing(office: Pointer<"studio_office">, thing: number, out: Pointer<"float">): number;
  /** Ground and floors: they stay where they are. */
  studio_office_is_fixed(office: Pointer<"studio_office">, thing: number): number;
  /** "chair", "desk", "ladder", ...; the name of what has no use. */
  studio_office_kind(office: Pointer<"studio_office">, thing: number): Pointer<"char">;
  /** Its triangles in its own frame, 9 floats each. Writes up to `capacity` and returns how many there are. */
  studio_office_triangles(office: Pointer<"studio_office">, thing: number, out: Pointer<"float">, capacity: number): number;
  /** Whether somebody can sit on it, climb it or slide down it, as floors were found at the last step. */
  studio_office_is_used(office: Pointer<"studio_office">, thing: number): number;
  /** The person that sits there; -1: nobody. */
  studio_office_user(office: Pointer<"studio_office">, thing: number): number;
  /** Seats, those somebody sits on, links, things of use that nobody can use: four numbers. */
  studio_office_survey(office: Pointer<"studio_office">, out: Pointer<"int">): void;
  /** A new thing of a kind. Returns its number, -1: refused. */
  studio_office_add(office: Pointer<"studio_office">, kind: Pointer<"char">, x: number, y: number, z: number, yaw: number): number;
  /** Moves a thing, or brings one back that was removed. */
  studio_office_move(office: Pointer<"studio_office">, thing: number, x: number, y: number, z: number, yaw: number): number;
  studio_office_remove(office: Pointer<"studio_office">, thing: number): void;
  /** Puts a thing where it was at first, or removes one that was not there; everything else goes on. */
  studio_office_reset(office: Pointer<"studio_office">, thing: number): number;
  /** Where a desk stands to its chair: x y z yaw, seen from the chair. False: the moves know none. */
  studio_office_desk(office: Pointer<"studio_office">, out: Pointer<"float">): number;
  /** Puts people anywhere until there are `count`, kept busy by errands. Returns how many there are. */
  studio_office_fill(office: Pointer<"studio_office">, count: number, seed: number): number;
  studio_office_count(office: Pointer<"studio_office">): number;
  /** Commands; `seconds` later one goes on errands again. LOPE_PARTIAL: goes to the nearest place where one can stand. */
  studio_office_go(office: Pointer<"studio_office">, person: number, x: number, y: number, z: number, seconds: number): number;
  studio_office_use(office: Pointer<"studio_office">, person: number, thing: number, seconds: number): number;
  studio_office_chat(office: Pointer<"studio_office">, person: number, other: number, seconds: number): number;
  /** On errands: `seats`: onto seats only. */
  studio_office_roam(office: Pointer<"studio_office">, person: number, seats: boolean | number): void;
  /** What somebody does, in words, such as "sits". */
  studio_office_doing(office: Pointer<"studio_office">, person: number): Pointer<"char">;
  /** Is on errands of its own. */
  studio_office_roams(office: Pointer<"studio_office">, person: number): number;
  /** x y z of the ground under the hips, yaw. */
  studio_office_place(office: Pointer<"studio_office">, person: number, out: Pointer<"float">): void;
  studio_office_contacts(office: Pointer<"studio_office">, person: number): number;
  /** What a walking person plays: returns the clip of the mobility map's set and fills in its time; -1: it does not walk. */
  studio_office_clip(office: Pointer<"studio_office">, person: number, time: Pointer<"double">): number;
  studio_office_step(office: Pointer<"studio_office">, dt: number): void;
  studio_office_poses(office: Pointer<"studio_office">, out: Pointer<"float">): void;
  studio_office_hash(office: Pointer<"studio_office">): bigint;
  /** Bounded between two corners, and room for as many things as follow. */
  studio_scene_create(lowX: number, lowZ: number, highX: number, highZ: number, obstacles: number, corners: number, areas: number, flows: number): Pointer<"lope_scene">;
  studio_scene_destroy(scene: Pointer<"lope_scene">): void;
  studio_scene_box(scene: Pointer<"lope_scene">, x: number, z: number, width: number, depth: number, yaw: number): void;
  studio_scene_cylinder(scene: Pointer<"lope_scene">, x: number, z: number, radius: number): void;
  /** `corners`: x z of each. */
  studio_scene_polygon(scene: Pointer<"lope_scene">, corners: Pointer<"float">, count: number): void;
  studio_scene_area(scene: Pointer<"lope_scene">, lowX: number, lowZ: number, highX: number, highZ: number): void;
  /** From one area to another, by way of up to LOPE_SCENE_MAX_VIA places. */
  studio_scene_flow(scene: Pointer<"lope_scene">, from: number, to: number, via: Pointer<"float">, viaCount: number, weight: number, stop: boolean | number, pause: number): void;
  studio_scene_spawn_anywhere(scene: Pointer<"lope_scene">, anywhere: boolean | number): void;
  /** 64-byte aligned, as files in memory have to be. NULL where there is none. */
  studio_alloc(size: number): Pointer;
  studio_free(pointer: Pointer): void;
  /** What went wrong last, as the tool would say it; a zero-terminated text that holds until the next failure. */
  studio_error(): Pointer<"char">;
  /** XXH64 of bytes, for comparing with other machines. */
  studio_hash(data: Pointer, size: number): bigint;
  /** The last file that was written (BVH, GLB, SVG): its bytes and their number. */
  studio_written(): Pointer;
  studio_written_size(): number;
  studio_set_open(data: Pointer, size: number, name: Pointer<"char">): Pointer<"lope_set">;
  studio_set_close(set: Pointer<"lope_set">): void;
  studio_mobility_open(data: Pointer, size: number, name: Pointer<"char">): Pointer<"lope_mobility">;
  studio_mobility_close(map: Pointer<"lope_mobility">): void;
  studio_mobility_set(map: Pointer<"lope_mobility">): Pointer<"lope_set">;
  studio_maps_open(data: Pointer, size: number, name: Pointer<"char">): Pointer<"lope_maps">;
  studio_maps_close(maps: Pointer<"lope_maps">): void;
  studio_maps_set(maps: Pointer<"lope_maps">): Pointer<"lope_set">;
  /** A BVH file as a set of one clip with contacts, prepared as the tool prepares it. */
  studio_bvh_open(data: Pointer, size: number, name: Pointer<"char">): Pointer<"lope_set">;
  studio_set_clip_count(set: Pointer<"lope_set">): number;
  studio_set_clip_name(set: Pointer<"lope_set">, clip: number): Pointer<"char">;
  studio_set_clip_duration(set: Pointer<"lope_set">, clip: number): number;
  studio_set_skeleton(set: Pointer<"lope_set">): Pointer<"lope_skeleton">;
  /** The pose of a clip at a time, moved over the ground so that the body is at a place and faces a way. Returns the contacts of that moment (a mask of lope_contact). */
  studio_set_pose(set: Pointer<"lope_set">, clip: number, time: number, x: number, z: number, yaw: number, pose: Pointer<"float">): number;
  /** The same where the clip was captured. */
  studio_set_pose_as_is(set: Pointer<"lope_set">, clip: number, time: number, pose: Pointer<"float">): number;
  studio_joint_count(skeleton: Pointer<"lope_skeleton">): number;
  studio_joint_parent(skeleton: Pointer<"lope_skeleton">, joint: number): number;
  studio_joint_name(skeleton: Pointer<"lope_skeleton">, joint: number): Pointer<"char">;
  /** Joint of a role (lope_role), -1: none. */
  studio_joint_of_role(skeleton: Pointer<"lope_skeleton">, role: number): number;
  studio_body_shapes(skeleton: Pointer<"lope_skeleton">, out: Pointer<"float">, capacity: number): number;
  /** Where the parts that can touch lie in a pose: LOPE_CONTACT_COUNT places x y z in the order of lope_contact. */
  studio_contact_points(skeleton: Pointer<"lope_skeleton">, pose: Pointer<"float">, out: Pointer<"float">): void;
  studio_contact_name(part: number): Pointer<"char">;
  /** Where a body is and which way it faces: x z yaw. */
  studio_ground_of(skeleton: Pointer<"lope_skeleton">, pose: Pointer<"float">, out: Pointer<"float">): void;
  studio_film_create(skeleton: Pointer<"lope_skeleton">, name: Pointer<"char">, frames: number, rate: number): Pointer<"studio_film">;
  studio_film_destroy(film: Pointer<"studio_film">): void;
  studio_film_put(film: Pointer<"studio_film">, frame: number, pose: Pointer<"float">, contacts: number): void;
  /** What is put in counts from now on. */
  studio_film_finish(film: Pointer<"studio_film">): void;
  studio_film_grade(film: Pointer<"studio_film">, out: Pointer<"float">): number;
  /** Files, see studio_written. */
  studio_film_bvh(film: Pointer<"studio_film">): number;
  studio_film_glb(film: Pointer<"studio_film">): number;
  studio_film_svg(film: Pointer<"studio_film">, dark: boolean | number): number;
  /** A terrain scene as the tool reads it, with the same messages. Large triangles are cut into smaller ones, or a brush could not shape them. */
  studio_ground_read(text: Pointer<"char">, size: number, name: Pointer<"char">): Pointer<"lope_terrain_scene">;
  studio_ground_destroy(scene: Pointer<"lope_terrain_scene">): void;
  studio_ground_terrain(scene: Pointer<"lope_terrain_scene">): Pointer<"lope_terrain">;
  /** Where a character begins: x z yaw, and the height of the ground there. */
  studio_ground_start(scene: Pointer<"lope_terrain_scene">, out: Pointer<"float">): void;
  /** The way through: x z of each place. Returns how many there are and writes the first `capacity`. */
  studio_ground_path(scene: Pointer<"lope_terrain_scene">, out: Pointer<"float">, capacity: number): number;
  /** Lifts what lies within `radius` by `height` in its middle; negative lowers. */
  studio_terrain_raise(terrain: Pointer<"lope_terrain">, x: number, z: number, radius: number, height: number): number;
  /** All triangles: nine floats each. Returns how many there are and writes the first `capacity`. */
  studio_terrain_triangles(terrain: Pointer<"lope_terrain">, out: Pointer<"float">, capacity: number): number;
  /** Corners of the box around everything, low x y z and high x y z. False where there is nothing. */
  studio_terrain_bounds(terrain: Pointer<"lope_terrain">, out: Pointer<"float">): number;
  /** Where a ray first meets the ground: x y z. */
  studio_terrain_ray(terrain: Pointer<"lope_terrain">, x: number, y: number, z: number, toX: number, toY: number, toZ: number, out: Pointer<"float">): number;
  /** The height of the ground below a place, looked for from `from` down; NaN where there is none. */
  studio_terrain_below(terrain: Pointer<"lope_terrain">, x: number, from: number, z: number): number;
}

export const bridgeNames = [
  "studio_avatar_create",
  "studio_avatar_destroy",
  "studio_avatar_skeleton",
  "studio_avatar_follow",
  "studio_avatar_pose",
  "studio_climb_read",
  "studio_climb_scene_destroy",
  "studio_climb_holds",
  "studio_climb_obstacle",
  "studio_watch_with",
  "studio_pose_points",
  "studio_pose_look",
  "studio_pose_reach",
  "studio_pose_settle",
  "studio_pose_at",
  "studio_heuristic_name",
  "studio_heuristics",
  "studio_climb_solve",
  "studio_climb_destroy",
  "studio_climb_save",
  "studio_climb_open",
  "studio_climb_numbers",
  "studio_climb_pose",
  "studio_climb_held",
  "studio_climb_step_frame",
  "studio_crowd_create",
  "studio_crowd_destroy",
  "studio_crowd_spawn",
  "studio_mobility_tag",
  "studio_crowd_like",
  "studio_crowd_fill",
  "studio_crowd_count",
  "studio_crowd_add_box",
  "studio_crowd_add_cylinder",
  "studio_crowd_add_polygon",
  "studio_crowd_remove",
  "studio_crowd_is_free",
  "studio_crowd_go",
  "studio_crowd_step",
  "studio_crowd_poses",
  "studio_crowd_ground",
  "studio_crowd_state",
  "studio_crowd_contacts",
  "studio_crowd_clip",
  "studio_crowd_plan",
  "studio_crowd_reach",
  "studio_crowd_reach_way",
  "studio_crowd_counts",
  "studio_crowd_hash",
  "studio_tile_open",
  "studio_tile_close",
  "studio_tile_set",
  "studio_tile_size",
  "studio_floor_create",
  "studio_floor_destroy",
  "studio_floor_lay",
  "studio_floor_add",
  "studio_floor_remove",
  "studio_floor_spawn",
  "studio_floor_fill",
  "studio_floor_count",
  "studio_floor_alive",
  "studio_floor_go",
  "studio_floor_roam",
  "studio_floor_arrived",
  "studio_floor_step",
  "studio_floor_poses",
  "studio_floor_ground",
  "studio_floor_contacts",
  "studio_floor_clip",
  "studio_floor_shares",
  "studio_floor_ways",
  "studio_floor_survey",
  "studio_floor_chosen",
  "studio_floor_forced",
  "studio_floor_hash",
  "studio_follow_create",
  "studio_follow_destroy",
  "studio_follow_add",
  "studio_follow_move",
  "studio_follow_remove",
  "studio_follow_clearance",
  "studio_follow_plan",
  "studio_follow_widest",
  "studio_follow_points",
  "studio_follow_portals",
  "studio_follow_triangles",
  "studio_follow_begin",
  "studio_follow_again",
  "studio_follow_end",
  "studio_follow_step",
  "studio_follow_pose",
  "studio_follow_state",
  "studio_follow_search_state",
  "studio_follow_ahead",
  "studio_follow_clip",
  "studio_follow_steps",
  "studio_follow_hips",
  "studio_follow_map",
  "studio_follow_report",
  "studio_follow_with_maps",
  "studio_follow_with_maps_hips",
  "studio_follow_with_maps_tree",
  "studio_follow_rival",
  "studio_follow_rival_tree",
  "studio_follow_rival_walk",
  "studio_follow_hash",
  "studio_rings_open",
  "studio_rings_close",
  "studio_rings_skeleton",
  "studio_gait_create",
  "studio_gait_destroy",
  "studio_gait_step",
  "studio_gait_step_to",
  "studio_gait_step_along",
  "studio_gait_pose",
  "studio_gait_contacts",
  "studio_gait_ground",
  "studio_gait_state",
  "studio_gait_sample",
  "studio_rings_sample_pose",
  "studio_rings_sample_name",
  "studio_gait_spheres",
  "studio_gait_sphere_radius",
  "studio_blocks_open",
  "studio_blocks_close",
  "studio_blocks_set",
  "studio_moves_join",
  "studio_moves_close",
  "studio_moves_set",
  "studio_office_create",
  "studio_office_read",
  "studio_office_destroy",
  "studio_office_write",
  "studio_office_thing_count",
  "studio_office_thing",
  "studio_office_is_fixed",
  "studio_office_kind",
  "studio_office_triangles",
  "studio_office_is_used",
  "studio_office_user",
  "studio_office_survey",
  "studio_office_add",
  "studio_office_move",
  "studio_office_remove",
  "studio_office_reset",
  "studio_office_desk",
  "studio_office_fill",
  "studio_office_count",
  "studio_office_go",
  "studio_office_use",
  "studio_office_chat",
  "studio_office_roam",
  "studio_office_doing",
  "studio_office_roams",
  "studio_office_place",
  "studio_office_contacts",
  "studio_office_clip",
  "studio_office_step",
  "studio_office_poses",
  "studio_office_hash",
  "studio_scene_create",
  "studio_scene_destroy",
  "studio_scene_box",
  "studio_scene_cylinder",
  "studio_scene_polygon",
  "studio_scene_area",
  "studio_scene_flow",
  "studio_scene_spawn_anywhere",
  "studio_alloc",
  "studio_free",
  "studio_error",
  "studio_hash",
  "studio_written",
  "studio_written_size",
  "studio_set_open",
  "studio_set_close",
  "studio_mobility_open",
  "studio_mobility_close",
  "studio_mobility_set",
  "studio_maps_open",
  "studio_maps_close",
  "studio_maps_set",
  "studio_bvh_open",
  "studio_set_clip_count",
  "studio_set_clip_name",
  "studio_set_clip_duration",
  "studio_set_skeleton",
  "studio_set_pose",
  "studio_set_pose_as_is",
  "studio_joint_count",
  "studio_joint_parent",
  "studio_joint_name",
  "studio_joint_of_role",
  "studio_body_shapes",
  "studio_contact_points",
  "studio_contact_name",
  "studio_ground_of",
  "studio_film_create",
  "studio_film_destroy",
  "studio_film_put",
  "studio_film_finish",
  "studio_film_grade",
  "studio_film_bvh",
  "studio_film_glb",
  "studio_film_svg",
  "studio_ground_read",
  "studio_ground_destroy",
  "studio_ground_terrain",
  "studio_ground_start",
  "studio_ground_path",
  "studio_terrain_raise",
  "studio_terrain_triangles",
  "studio_terrain_bounds",
  "studio_terrain_ray",
  "studio_terrain_below",
] as const;
