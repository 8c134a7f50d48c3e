// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "mutant.h"

#include <math.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>
#include <stdio.h>

enum { HEADER = 64, ENTRY = 32, MOST_CHUNKS = 128, PREFIX = 4, EDIT = 8, MOST_EDITS = 8 };
#define MOST_MEMORY ((size_t)256 << 20) // bytes that a small file may ask for

int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

typedef struct chunk {
    uint32_t type, version;
    uint8_t *bytes;
    size_t size;
    uint64_t checksum;
    bool changed; // the bytes are the mutant's own, and their checksum is not known
} chunk;

typedef struct chunk_list {
    int count;
    chunk items[MOST_CHUNKS];
} chunk_list;

static chunk_list sound; // what the seed holds

static struct {
    uint64_t runs, opened, starved;
} totals;

// ---- memory

static struct {
    size_t blocks, bytes; // alive
    long left;            // allocations that succeed before one fails; negative: all do
    bool once;            // only that one fails, later ones succeed again
} memory;

static void *allocate(void *user, size_t size)
{
    (void)user;
    void *block = NULL;
    if (memory.left == 0) {
        memory.left = memory.once ? -1 : 0;
        return NULL;
    }
    memory.left -= memory.left > 0;
    if (size > MOST_MEMORY - memory.bytes) {
        fprintf(stderr, "mutant: wants %zu bytes beside %zu others\n", size, memory.bytes);
        abort();
    }
    require(posix_memalign(&block, 64, size) == 0);
    memory.blocks++;
    memory.bytes += size;
    return block;
}

static void release(void *user, void *block)
{
    (void)user;
    memory.blocks--;
    memory.bytes -= __sanitizer_get_allocated_size(block);
    free(block);
}

// ---- the sound file

static void report(void)
{
    if (totals.runs)
        fprintf(stderr, "mutants: %llu, of which %.0f %% could be opened and used, %.0f %% with failing allocations\n",
                (unsigned long long)totals.runs, 100.0 * (double)totals.opened / (double)totals.runs,
                100.0 * (double)totals.starved / (double)totals.runs);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    char path[1024];
    lope_container *container;
    lope_error error;
    snprintf(path, sizeof path, "%s/%s.lope", FUZZ_SEEDS, mutant_kind);
    if (lope_container_open(path, &container, &error)) {
        fprintf(stderr, "mutant: %s: %s\n", path, error.message);
        exit(1);
    }
    sound.count = lope_container_count(container);
    require(sound.count > 0 && sound.count <= MOST_CHUNKS);
    for (int i = 0; i < sound.count; i++) {
        chunk *c = &sound.items[i];
        const void *bytes = lope_container_data(container, i, &c->size);
        c->type = lope_container_type(container, i, &c->version);
        c->bytes = (uint8_t *)fuzz_copy(bytes, c->size);
        c->checksum = lope_hash(c->bytes, c->size, 0);
    }
    lope_container_close(container);
    atexit(report);
    return 0;
}

// ---- changing it

// One change, as eight bytes of the input.
typedef struct edit {
    uint8_t what, where; // kind of change; kind of chunk
    uint32_t at, value;  // 24 bits each
} edit;

static edit read_edit(const uint8_t *b)
{
    return (edit){b[0], b[1], (uint32_t)(b[2] | b[3] << 8 | b[4] << 16), (uint32_t)(b[5] | b[6] << 8 | b[7] << 16)};
}

// Picks every kind of chunk equally often, then any chunk of that kind.
static chunk *pick_chunk(chunk_list *list, const edit *e)
{
    uint32_t kinds[MOST_CHUNKS];
    int kind_count = 0, like = 0;
    for (int i = 0; i < list->count; i++) {
        int k = 0;
        while (k < kind_count && kinds[k] != list->items[i].type)
            k++;
        kind_count += k == kind_count;
        kinds[k] = list->items[i].type;
    }
    uint32_t type = kinds[e->where % kind_count];
    for (int i = 0; i < list->count; i++)
        like += list->items[i].type == type;
    int n = (int)(e->at / 7 % (uint32_t)like);
    for (int i = 0; i < list->count; i++)
        if (list->items[i].type == type && n-- == 0)
            return &list->items[i];
    abort();
}

static void resize(chunk *c, size_t size)
{
    uint8_t *bytes = malloc(size + 1);
    require(bytes != NULL);
    memset(bytes, 0, size + 1);
    memcpy(bytes, c->bytes, size < c->size ? size : c->size);
    if (c->changed)
        free(c->bytes);
    c->bytes = bytes;
    c->size = size;
    c->changed = true;
}

static uint32_t odd_float(uint32_t value)
{
    static const float odd[] = {NAN,    INFINITY, -INFINITY, 1e30f, -1e30f, 3e38f,  1e-40f, 0.0f,  -0.0f, 1.0f,
                                -1.0f,  1e-6f,    0.5f,      -0.5f, 100.0f, 1e4f,   9e3f,   1e6f,  1e9f,  -1e9f,
                                -99.0f, 3.2f,     9.9f,      -9.9f, 1e-30f, 0.001f, 2e9f,   5e-3f, -0.1f, 999.0f};
    uint32_t bits;
    memcpy(&bits, &odd[value % (sizeof odd / sizeof *odd)], sizeof bits);
    return bits;
}

static uint32_t odd_integer(uint32_t value)
{
    static const uint32_t odd[] = {
        0,        1,   2,   3,     0xffffffffu, 0xfffffffeu, 0x80000000u, 0x7fffffffu, 1u << 30, 3u << 30,
        1u << 28, 255, 256, 65535, 65536,       0xffffff,    64,          4096,        7};
    return odd[value % (sizeof odd / sizeof *odd)];
}

static uint32_t scaled(uint32_t word, uint32_t value)
{
    static const float factors[] = {0.5f, 2.0f, -1.0f, 1.001f, 0.99f, 10.0f, 0.1f, 1000.0f, 1.1f, 0.9f};
    float number;
    memcpy(&number, &word, sizeof number);
    number *= factors[value % (sizeof factors / sizeof *factors)];
    memcpy(&word, &number, sizeof word);
    return word;
}

// Words become odd, a little different, or what others of the chunk are. A quarter of the time one of the first
// sixteen: headers are small, but much hangs on them.
static void change_word(chunk *c, const edit *e)
{
    size_t words = c->size / 4;
    if (words == 0)
        return;
    size_t at = e->at >> 2;
    at = (e->at & 3) == 0 && words > 16 ? at % 16 : at % words;
    size_t from = e->value % words, span = 1;
    uint32_t word;
    resize(c, c->size);
    memcpy(&word, c->bytes + 4 * at, 4);
    switch (e->what % 7) {
    case 0:
        word = odd_float(e->value);
        break;
    case 1:
        word = odd_integer(e->value);
        break;
    case 2:
        word += (e->value & 0x800) ? (uint32_t)(int8_t)e->value : 1u << (e->value % 31);
        break;
    case 3:
        word = scaled(word, e->value);
        break;
    case 4:
        word ^= 1u << (e->value % 32);
        break;
    case 5:
        memcpy(&word, c->bytes + 4 * from, 4);
        break;
    default:
        span = 1 + e->what / 7 % 24;
        span = span > words - (at > from ? at : from) ? words - (at > from ? at : from) : span;
        memmove(c->bytes + 4 * at, c->bytes + 4 * from, 4 * span);
        return;
    }
    memcpy(c->bytes + 4 * at, &word, 4);
}

static void change_order(chunk_list *list, chunk *c, const edit *e)
{
    chunk *other = &list->items[e->value % (uint32_t)list->count];
    chunk both[2] = {*c, *other};
    switch (e->at % 4) {
    case 0:
        *c = both[1];
        *other = both[0];
        break;
    case 1: // the bytes of the other one
        if (c == other)
            break;
        resize(c, other->size);
        memcpy(c->bytes, other->bytes, other->size);
        break;
    case 2:
        if (list->count == MOST_CHUNKS)
            break;
        list->items[list->count] = both[1];
        list->items[list->count].changed = false;
        resize(&list->items[list->count], both[1].size);
        list->count++;
        break;
    default:
        if (list->count == 1)
            break;
        if (c->changed)
            free(c->bytes);
        *c = list->items[--list->count];
    }
}

static void apply(chunk_list *list, const edit *e)
{
    chunk *c = pick_chunk(list, e);
    uint32_t kind = e->what / 8;
    if (kind == 28)
        resize(c, c->size - (e->value % 160 < c->size ? e->value % 160 : c->size));
    else if (kind == 29)
        resize(c, c->size + e->value % 160);
    else if (kind == 30)
        change_order(list, c, e);
    else if (kind == 31 && e->at % 2)
        c->version = odd_integer(e->value);
    else if (kind == 31)
        c->type ^= 1u << (e->value % 32);
    else
        change_word(c, e);
}

// ---- putting it together

static size_t round_up(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

static size_t table_end(const chunk_list *list)
{
    return HEADER + (size_t)list->count * ENTRY;
}

// Chunks are farther apart than they need to be; the bytes between them are poisoned.
static size_t place_after(size_t end)
{
    return round_up(end) + 64;
}

static uint8_t *assemble(chunk_list *list, size_t *size)
{
    size_t end = table_end(list);
    for (int i = 0; i < list->count; i++)
        end = place_after(end) + list->items[i].size;
    void *bytes = NULL;
    require(posix_memalign(&bytes, 64, end) == 0);
    memset(bytes, 0, end);
    uint8_t *file = bytes;
    uint32_t version = 1, count = (uint32_t)list->count;
    uint64_t file_size = *size = end;
    memcpy(file, "LOPEFILE", 8);
    memcpy(file + 8, &version, 4);
    memcpy(file + 12, &count, 4);
    memcpy(file + 16, &file_size, 8);
    end = table_end(list);
    for (int i = 0; i < list->count; i++) {
        chunk *c = &list->items[i];
        uint64_t offset = place_after(end), length = c->size;
        uint64_t checksum = c->changed ? lope_hash(c->bytes, c->size, 0) : c->checksum;
        uint8_t *entry = file + HEADER + i * ENTRY;
        memcpy(entry, &c->type, 4);
        memcpy(entry + 4, &c->version, 4);
        memcpy(entry + 8, &offset, 8);
        memcpy(entry + 16, &length, 8);
        memcpy(entry + 24, &checksum, 8);
        memcpy(file + offset, c->bytes, c->size);
        ASAN_POISON_MEMORY_REGION(file + end, offset - end);
        end = offset + length;
    }
    uint64_t checksum = lope_hash(file + HEADER, (size_t)list->count * ENTRY, lope_hash(file, HEADER, 0));
    memcpy(file + 24, &checksum, 8);
    return file;
}

static uint8_t *make(const uint8_t *data, size_t size, size_t *file_size)
{
    static chunk_list list;
    list = sound;
    for (size_t at = PREFIX; at + EDIT <= size; at += EDIT) {
        edit e = read_edit(data + at);
        apply(&list, &e);
    }
    uint8_t *file = assemble(&list, file_size);
    for (int i = 0; i < list.count; i++)
        if (list.items[i].changed)
            free(list.items[i].bytes);
    return file;
}

static void keep(const uint8_t *file, size_t size)
{
    const char *path = getenv("LOPE_FUZZ_WRITE");
    FILE *out = path ? fopen(path, "wb") : NULL;
    if (!out)
        return;
    ASAN_UNPOISON_MEMORY_REGION(file, size);
    fwrite(file, 1, size, out);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const lope_allocator counting = {allocate, release, NULL};
    if (size < PREFIX)
        return 0;
    size_t file_size;
    uint8_t *file = make(data, size, &file_size);
    keep(file, file_size);
    mutant m = {file, file_size, lope_random_seed(data[0] | (uint64_t)data[1] << 8)};
    bool starves = data[3] >= 192;
    memory.left = starves ? data[2] : -1;
    memory.once = data[3] & 1;
    lope_set_allocator(&counting);
    totals.opened += mutant_use(&m);
    lope_set_allocator(NULL);
    if (memory.blocks) {
        fprintf(stderr, "mutant: %zu blocks were not released\n", memory.blocks);
        abort();
    }
    totals.runs++;
    totals.starved += starves;
    free(file);
    return 0;
}

// Replaces a change, adds one or removes one.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    lope_random random = lope_random_seed(seed);
    if (most < PREFIX + EDIT)
        return size;
    size_t count = size < PREFIX ? 0 : (size - PREFIX) / EDIT;
    if (size < PREFIX)
        memset(data, 0, PREFIX);
    uint64_t bits = lope_random_next(&random), fresh = lope_random_next(&random);
    if (count == 0 || bits >> 63)
        memcpy(data, &bits, PREFIX);
    size_t one = count ? (size_t)lope_random_below(&random, (int)count) : 0;
    uint8_t *at = data + PREFIX + one * EDIT;
    int choice = lope_random_below(&random, 8);
    if (count > 1 && (choice < 2 || count >= MOST_EDITS))
        memmove(at, data + PREFIX + --count * EDIT, EDIT);
    else if (count == 0 || (choice < 4 && PREFIX + (count + 1) * EDIT <= most))
        memcpy(data + PREFIX + count++ * EDIT, &fresh, EDIT);
    else if (choice < 6)
        memcpy(at, &fresh, EDIT);
    else
        at[fresh % EDIT] = (uint8_t)(fresh >> 8);
    return PREFIX + count * EDIT;
}

// ---- what targets share

void mutant_look(const lope_transform *model, int joint_count)
{
    for (int j = 0; j < joint_count; j++) {
        const float *numbers = &model[j].rotation.x;
        for (int k = 0; k < 7; k++)
            if (!isfinite(numbers[k])) {
                fprintf(stderr, "mutant: %s of joint %d is %g\n", k < 4 ? "rotation" : "place", j, (double)numbers[k]);
                abort();
            }
    }
}

void mutant_look_at(lope_ground place)
{
    require(isfinite(place.x) && isfinite(place.z) && isfinite(place.yaw));
}

int mutant_pick(mutant *m, int count)
{
    return count > 0 ? lope_random_below(&m->random, count) : 0;
}

lope_vec2 mutant_place(mutant *m, float reach)
{
    float x = lope_random_range(&m->random, -reach, reach), z = lope_random_range(&m->random, -reach, reach);
    return (lope_vec2){x, z};
}

lope_pose mutant_pose(const lope_skeleton *skeleton, int number)
{
    static lope_quat rotations[MUTANT_POSES][MUTANT_JOINTS];
    static lope_vec3 translations[MUTANT_POSES][MUTANT_JOINTS];
    require(skeleton->joint_count <= MUTANT_JOINTS);
    return (lope_pose){skeleton->joint_count, {0.0f, 0.0f, 0.0f}, rotations[number], translations[number]};
}

lope_transform *mutant_model(void)
{
    static lope_transform model[MUTANT_JOINTS];
    return model;
}
