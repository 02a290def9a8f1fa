/* A pool for the memory of large arrays, in the place of glibc's posix_memalign.

   glibc does not reuse a freed block for an aligned request of the same size: it looks for one that is larger by the
   alignment. Programs that free and allocate in turn, as training does, leave holes that way. Here a request gets the
   first hole that is large enough, which wastes 1 to 2 % of memory, and the pages stay with the process for the next one.

   PyTorch's C++ interface for allocators changes from version to version. Two functions of C do not: libc10 allocates by
   posix_memalign and frees by free. pool_install lets libc10's references to them, and nobody else's, point here. Blocks
   of the pool are known by their addresses; everything else goes to the C library as before. */

#define _GNU_SOURCE
#include "native.h"

#if defined(__linux__) && defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__x86_64__)
#define IS_FUNCTION(type) ((type) == R_X86_64_JUMP_SLOT || (type) == R_X86_64_GLOB_DAT)
#else
#define IS_FUNCTION(type) ((type) == R_AARCH64_JUMP_SLOT || (type) == R_AARCH64_GLOB_DAT)
#endif

enum { LEAST = 1 << 16, LARGE_PAGE = 2 << 20, GROWTH = 64 << 20, HOLES = 1 << 16 };

typedef uint32_t page;
typedef struct {
    page first, end;
} range;

static struct {
    pthread_mutex_t lock;
    char *base;
    unsigned shift;           /* the size of a page is 1 << shift */
    page pages;               /* how many addresses are reserved for */
    page writable, top;       /* which of them can be written to, and have been given out at some time */
    page live, cached, keep;  /* in blocks; freed and still with the process; when to give those back */
    page *length;             /* of the block that begins at a page, or 0 */
    range *hole;              /* free pages below top, by address, without neighbours */
    page holes, blocks;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static char *address(page number) { return pool.base + ((size_t)number << pool.shift); }

static int grow(page end) {
    if (end <= pool.writable) return 1;
    page target = pool.writable + (GROWTH >> pool.shift);
    if (target < end) target = end;
    if (target > pool.pages) target = pool.pages;
    if (mprotect(address(pool.writable), (size_t)(target - pool.writable) << pool.shift, PROT_READ | PROT_WRITE)) return 0;
    pool.writable = target;
    return 1;
}

static char *take(page n) {
    page at = 0, first;
    while (at < pool.holes && pool.hole[at].end - pool.hole[at].first < n) at++;
    if (at < pool.holes) {
        first = pool.hole[at].first;
        pool.hole[at].first += n;
        if (pool.hole[at].first == pool.hole[at].end)
            memmove(pool.hole + at, pool.hole + at + 1, (--pool.holes - at) * sizeof(range));
        pool.cached -= pool.cached < n ? pool.cached : n;
    } else {
        int last = pool.holes && pool.hole[pool.holes - 1].end == pool.top;
        first = last ? pool.hole[pool.holes - 1].first : pool.top;
        if (n > pool.pages - first || pool.blocks == HOLES - 1 || !grow(first + n)) return NULL;
        page old = pool.top - first;
        pool.cached -= pool.cached < old ? pool.cached : old;
        pool.holes -= last;
        pool.top = first + n;
    }
    pool.length[first] = n;
    pool.live += n;
    pool.blocks++;
    return address(first);
}

/* Gives all free pages back to the system. */
static void release(void) {
    for (page i = 0; i < pool.holes; i++) {
        range hole = pool.hole[i];
        madvise(address(hole.first), (size_t)(hole.end - hole.first) << pool.shift, MADV_DONTNEED);
    }
    if (pool.holes && pool.hole[pool.holes - 1].end == pool.top) pool.top = pool.hole[--pool.holes].first;
    pool.cached = 0;
}

static void give_back(page first) {
    page n = pool.length[first], low = 0, high = pool.holes;
    range *hole = pool.hole;
    while (low < high) {
        page middle = (low + high) / 2;
        if (hole[middle].first < first) low = middle + 1;
        else high = middle;
    }
    int before = low && hole[low - 1].end == first, after = low < pool.holes && hole[low].first == first + n;
    if (before && after) {
        hole[low - 1].end = hole[low].end;
        memmove(hole + low, hole + low + 1, (--pool.holes - low) * sizeof(range));
    } else if (before) hole[low - 1].end += n;
    else if (after) hole[low].first = first;
    else {
        memmove(hole + low + 1, hole + low, (pool.holes++ - low) * sizeof(range));
        hole[low] = (range){first, first + n};
    }
    pool.length[first] = 0;
    pool.live -= n;
    pool.cached += n;
    pool.blocks--;
    if (pool.cached > pool.keep) release();
}

static int pool_memalign(void **found, size_t alignment, size_t bytes) {
    size_t n = (bytes + ((size_t)1 << pool.shift) - 1) >> pool.shift;
    if (bytes >= LEAST && n <= pool.pages && alignment <= (size_t)1 << pool.shift) {
        pthread_mutex_lock(&pool.lock);
        char *block = take(n);
        pthread_mutex_unlock(&pool.lock);
        if (block) {
            *found = block;
            return 0;
        }
    }
    return posix_memalign(found, alignment, bytes);
}

static void pool_free(void *block) {
    size_t distance = (size_t)((char *)block - pool.base);
    if (distance < (size_t)pool.pages << pool.shift && !(distance & (((size_t)1 << pool.shift) - 1))) {
        pthread_mutex_lock(&pool.lock);
        int is_block = pool.length[distance >> pool.shift] > 0;
        if (is_block) give_back((page)(distance >> pool.shift));
        pthread_mutex_unlock(&pool.lock);
        if (is_block) return;
    }
    free(block); /* which says so if it was freed before */
}

static void lock(void) { pthread_mutex_lock(&pool.lock); }
static void unlock(void) { pthread_mutex_unlock(&pool.lock); }

/* Addresses for as much as the machine has; memory comes when it is written to. */
static int reserve(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur != RLIM_INFINITY) return 0; /* others need the addresses */
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE), most = (size_t)1 << 42;
    if (bytes > most) bytes = most;
    pool.shift = (unsigned)__builtin_ctzl((unsigned long)sysconf(_SC_PAGESIZE));
    pool.pages = (page)((bytes & ~(size_t)(LARGE_PAGE - 1)) >> pool.shift);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    /* Of what cannot be had nothing is lost but addresses. */
    char *base = mmap(NULL, bytes + LARGE_PAGE, PROT_NONE, flags, -1, 0);
    page *length = mmap(NULL, pool.pages * sizeof(page), PROT_READ | PROT_WRITE, flags, -1, 0);
    range *hole = mmap(NULL, HOLES * sizeof(range), PROT_READ | PROT_WRITE, flags, -1, 0);
    if (base == MAP_FAILED || length == MAP_FAILED || hole == MAP_FAILED) return 0;
    pool.base = (char *)(((uintptr_t)base + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1));
    pool.length = length;
    pool.hole = hole;
    madvise(pool.base, (size_t)pool.pages << pool.shift, MADV_HUGEPAGE);
    return !pthread_atfork(lock, unlock, unlock);
}

typedef struct {
    const char *name;
    void *function;
    int references, failures;
} replacement;

/* Is the function the C library's own, not one of an allocator that was preloaded? */
static int is_own(const char *name) {
    Dl_info found, library;
    void *function = dlsym(RTLD_DEFAULT, name), *other = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
    return function && other && dladdr(function, &found) && dladdr(other, &library) && found.dli_fbase == library.dli_fbase;
}

/* Writes to a reference, which may be in memory that was made read-only after loading. */
static int point(void **reference, void *function, uintptr_t first, uintptr_t end) {
    uintptr_t begin = (uintptr_t)reference & ~(((uintptr_t)1 << pool.shift) - 1);
    int fixed = (uintptr_t)reference >= first && (uintptr_t)reference < end;
    size_t bytes = (size_t)1 << pool.shift;
    if (fixed && mprotect((void *)begin, bytes, PROT_READ | PROT_WRITE)) return 0;
    __atomic_store_n(reference, function, __ATOMIC_RELEASE);
    if (fixed) mprotect((void *)begin, bytes, PROT_READ);
    return 1;
}

static int replace(struct dl_phdr_info *object, size_t bytes, void *wanted) {
    (void)bytes;
    replacement *new = wanted;
    const char *file = object->dlpi_name ? strrchr(object->dlpi_name, '/') : NULL;
    if (!file || strcmp(file, "/libc10.so")) return 0;
    const ElfW(Dyn) *entry = NULL;
    uintptr_t first = 0, end = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = object->dlpi_phdr + i;
        if (part->p_type == PT_DYNAMIC) entry = (const void *)(object->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_GNU_RELRO) first = object->dlpi_addr + part->p_vaddr, end = first + part->p_memsz;
    }
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const ElfW(Rela) *table[2] = {NULL, NULL};
    size_t size_of_table[2] = {0, 0};
    for (; entry && entry->d_tag; entry++) {
        void *pointer = (void *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_SYMTAB) symbols = pointer;
        if (entry->d_tag == DT_STRTAB) names = pointer;
        if (entry->d_tag == DT_JMPREL) table[0] = pointer;
        if (entry->d_tag == DT_PLTRELSZ) size_of_table[0] = entry->d_un.d_val;
        if (entry->d_tag == DT_RELA) table[1] = pointer;
        if (entry->d_tag == DT_RELASZ) size_of_table[1] = entry->d_un.d_val;
    }
    if (!symbols || !names) return 1;
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < size_of_table[i] / sizeof(ElfW(Rela)); k++) {
            const ElfW(Rela) *at = table[i] + k;
            if (!IS_FUNCTION(ELF64_R_TYPE(at->r_info))) continue;
            if (strcmp(names + symbols[ELF64_R_SYM(at->r_info)].st_name, new->name)) continue;
            if (point((void **)(object->dlpi_addr + at->r_offset), new->function, first, end)) new->references++;
            else new->failures++;
        }
    return 1;
}

static int replace_all(const char *name, void *function) {
    replacement new = {name, function, 0, 0};
    dl_iterate_phdr(replace, &new);
    return new.references && !new.failures;
}

/* Makes libc10 use the pool; 0 if it cannot. To be called once. ``keep`` is how many freed bytes stay with the process. */
EXPORT int pool_install(size keep) {
    if (!is_own("posix_memalign") || !is_own("free") || !reserve()) return 0;
    size pages = keep >> pool.shift;
    pool.keep = pages < pool.pages ? (page)pages : pool.pages;
    /* First the one that must know all blocks. */
    return replace_all("free", (void *)pool_free) && replace_all("posix_memalign", (void *)pool_memalign);
}

/* Bytes in blocks, bytes of free pages that are still with the process, the highest end of a block, and the blocks. */
EXPORT int pool_state(int64_t *found) {
    lock();
    found[0] = (size)pool.live << pool.shift;
    found[1] = (size)pool.cached << pool.shift;
    found[2] = (size)pool.top << pool.shift;
    found[3] = pool.blocks;
    unlock();
    return 1;
}

EXPORT int pool_release(void) {
    lock();
    release();
    unlock();
    return 1;
}

#else

EXPORT int pool_install(size keep) { return (void)keep, 0; }
EXPORT int pool_state(int64_t *found) { return (void)found, 0; }
EXPORT int pool_release(void) { return 0; }

#endif
