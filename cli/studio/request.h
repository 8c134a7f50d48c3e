// SPDX-License-Identifier: MIT
// What a request to the studio's server asks for, and whether it may: pure functions from bytes to decisions, so that
// they can be tested and fuzzed without a server. Nothing here touches files or sockets.
//
//   GET    /                          the page; everything that is not listed below is a file of the built page
//   GET    /api/state                 version, limits, folder, the given files
//   GET    /api/files                 what lies in the folder
//   GET    /api/files/NAME            one of its files
//   PUT    /api/files/NAME            a clip that was dropped, or a scene to save
//   GET    /api/given/N               a file that was named on the command line
//   GET    /api/builds?page=ID        the builds of one page
//   POST   /api/builds                starts one; the body is a form, see studio_parse_build
//   GET    /api/builds/N?page=ID      how far it is
//   GET    /api/builds/N/events?...   the same as a stream of server-sent events, until it is over
//   DELETE /api/builds/N?page=ID      stops it
#ifndef LOPE_CLI_STUDIO_REQUEST_H
#define LOPE_CLI_STUDIO_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum {
    STUDIO_MAX_NAME = 120, // bytes of a file's name
    STUDIO_MAX_PATH = 240, // of a path below the page
    STUDIO_MAX_CLIPS = 256,
    STUDIO_MAX_FORM = 65536, // of a form
    STUDIO_KEY_LENGTH = 32
};
#define STUDIO_MAX_CLIP_BYTES (512ll << 20)
#define STUDIO_MAX_SCENE_BYTES (16ll << 20)

// --- what is asked for
typedef enum studio_method { STUDIO_GET, STUDIO_HEAD, STUDIO_PUT, STUDIO_POST, STUDIO_DELETE } studio_method;
typedef enum studio_route_kind {
    STUDIO_PAGE, // name: path below the page, "index.html" for the page itself
    STUDIO_STATE,
    STUDIO_FILES,
    STUDIO_FILE,  // name
    STUDIO_SAVE,  // name
    STUDIO_GIVEN, // number
    STUDIO_BUILDS,
    STUDIO_START,
    STUDIO_BUILD,  // number
    STUDIO_EVENTS, // number
    STUDIO_STOP    // number
} studio_route_kind;

typedef struct studio_route {
    studio_route_kind kind;
    studio_method method;
    int number;
    char name[STUDIO_MAX_PATH + 1];
    char page[STUDIO_KEY_LENGTH + 1]; // which page asks, "" where it does not say
} studio_route;

// A decision: an HTTP status and what to tell. Status 0: go on.
typedef struct studio_verdict {
    int status;
    const char *message;
} studio_verdict;

// `target` as it stands in the request line, without what follows '?'; `query` is that, or NULL.
studio_verdict studio_parse_route(const char *method, const char *target, const char *query, studio_route *out);

// --- whether it may
// Headers as received; NULL where missing.
typedef struct studio_headers {
    const char *host, *origin, *fetch_site, *fetch_mode, *key;
} studio_headers;
// What this run of the server knows of itself.
typedef struct studio_self {
    int port;
    char key[STUDIO_KEY_LENGTH + 1]; // a secret of this run: lower-case hexadecimal
} studio_self;

// Refuses other hosts (a foreign name that was made to point here), other origins, and, for all but the page itself,
// requests without the key.
studio_verdict studio_guard(const studio_route *route, const studio_headers *headers, const studio_self *self);

// --- names
typedef enum studio_ending {
    STUDIO_NO_ENDING,
    STUDIO_BVH,
    STUDIO_FBX,
    STUDIO_GLB,
    STUDIO_LOPE,
    STUDIO_JSON
} studio_ending;
// What the name ends in, in either case.
studio_ending studio_ending_of(const char *name);
// A plain name of a file that the studio handles: UTF-8, no separators or control characters, no leading '.' or '-',
// one of the endings above.
bool studio_good_name(const char *name);
// What may be sent as a file of that name: the longest in bytes, 0 where none may.
long long studio_max_bytes(const char *name);
const char *studio_content_type(const char *name);

// --- builds
typedef enum studio_build_kind {
    STUDIO_MOBILITY,
    STUDIO_MAPS,
    STUDIO_RINGS,
    STUDIO_PATCHES,
    STUDIO_BUILD_KINDS
} studio_build_kind;
extern const char *const studio_build_names[STUDIO_BUILD_KINDS];
typedef struct studio_build {
    studio_build_kind kind;
    bool mirror, retarget;
    char threshold[24]; // a number as text, "" for the tool's default
    char page[STUDIO_KEY_LENGTH + 1];
    char out[STUDIO_MAX_NAME + 1]; // ends in .lope
    int clip_count;                // 0: the built-in set
    char clips[STUDIO_MAX_CLIPS][STUDIO_MAX_NAME + 1];
} studio_build;

// A form: kind=mobility&page=ID&out=walk.lope&clip=a.bvh&clip=b.bvh&mirror=1&retarget=1&threshold=0.3
studio_verdict studio_parse_build(const char *form, studio_build *out);
enum { STUDIO_MAX_ARGUMENTS = STUDIO_MAX_CLIPS + 16 };
// The command line of the tool, ended by NULL; words point into `build` or are constant. Returns their number.
int studio_build_arguments(const studio_build *build, const char *words[STUDIO_MAX_ARGUMENTS]);

#endif
