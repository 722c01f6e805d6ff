// bin/reveal of the tarball: starts lib/reveal/reveal with the libraries beside it, on any Linux.
//
// A program finds its loader by an absolute path (PT_INTERP), which a folder that may lie anywhere
// cannot have, and which a host with another C library lacks. The usual way out, to execute the
// loader with the program as its argument, makes the loader the program of the process:
// /proc/self/exe, by which Reveal starts its other processes and finds its documents, would name
// it, and so would ps. Therefore this program does not execute the loader. It maps it as the kernel
// would, puts the words of `ld.so --library-path ... PROGRAM` on a new stack, and goes on at the
// loader's begin. For the kernel it is still bin/reveal.
//
// It has no C library itself, so it runs wherever the kernel does, and nothing that the loader
// would have to share. NVIDIA's library and others of the host are loaded as ever, against the C
// library of the folder, which is newer than what they need: libraries in lib/reveal go before
// those of the host, those of LD_LIBRARY_PATH come next.
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { kPage = 4096, kPathSize = 4096, kMostSegments = 32 };

#if defined(__x86_64__)
#define LOADER "ld-linux-x86-64.so.2"
static long call(long number, long a, long b, long c, long d, long e, long f) {
  long out;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(out)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return out;
}
__asm__(
    ".globl _start\n"
    "_start:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call launch\n");
static _Noreturn void go_on(uintptr_t entry, const uintptr_t* stack) {
  __asm__ volatile("mov %0, %%rsp\n xor %%edx, %%edx\n xor %%ebp, %%ebp\n jmp *%1\n"
                   :
                   : "r"(stack), "r"(entry)
                   : "memory");
  __builtin_unreachable();
}
#elif defined(__aarch64__)
#define LOADER "ld-linux-aarch64.so.1"
static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
__asm__(
    ".globl _start\n"
    "_start:\n"
    "  mov x29, #0\n"
    "  mov x30, #0\n"
    "  mov x0, sp\n"
    "  b launch\n");
static _Noreturn void go_on(uintptr_t entry, const uintptr_t* stack) {
  __asm__ volatile("mov sp, %0\n mov x0, #0\n br %1\n" : : "r"(stack), "r"(entry) : "memory", "x0");
  __builtin_unreachable();
}
#elif defined(__riscv) && __riscv_xlen == 64
#define LOADER "ld-linux-riscv64-lp64d.so.1"
static long call(long number, long a, long b, long c, long d, long e, long f) {
  register long a7 __asm__("a7") = number;
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  register long a5 __asm__("a5") = f;
  __asm__ volatile("ecall"
                   : "+r"(a0)
                   : "r"(a7), "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5)
                   : "memory");
  return a0;
}
// The linker may have shortened addresses to offsets from gp.
__asm__(
    ".globl _start\n"
    "_start:\n"
    "  .option push\n"
    "  .option norelax\n"
    "  lla gp, __global_pointer$\n"
    "  .option pop\n"
    "  li fp, 0\n"
    "  li ra, 0\n"
    "  mv a0, sp\n"
    "  andi sp, sp, -16\n"
    "  j launch\n");
static _Noreturn void go_on(uintptr_t entry, const uintptr_t* stack) {
  __asm__ volatile("mv sp, %0\n li a0, 0\n jr %1\n" : : "r"(stack), "r"(entry) : "memory", "a0");
  __builtin_unreachable();
}
#else
#error "no launcher for this architecture yet"
#endif

static size_t length_of(const char* text) {
  size_t out = 0;
  while (text[out] != '\0') ++out;
  return out;
}

static void say(const char* text) {
  call(SYS_write, 2, (long)text, (long)length_of(text), 0, 0, 0);
}

static _Noreturn void give_up(const char* what, const char* path) {
  say("reveal: ");
  say(path);
  say(": ");
  say(what);
  say("; unpack the archive of Reveal anew, all of it\n");
  for (;;) call(SYS_exit_group, 1, 0, 0, 0, 0, 0);
}

// Writes a after what `out` has, which has kPathSize bytes.
static void append(char* out, const char* a) {
  const size_t had = length_of(out);
  const size_t more = length_of(a);
  if (had + more >= kPathSize) give_up("the path is too long", out);
  for (size_t i = 0; i <= more; ++i) out[had + i] = a[i];
}

static void copy_words(uintptr_t** to, const uintptr_t* from, size_t count) {
  for (size_t i = 0; i < count; ++i) *(*to)++ = from[i];
}

static uintptr_t value_of(const Elf64_auxv_t* facts, uint64_t type) {
  for (; facts->a_type != AT_NULL; ++facts) {
    if (facts->a_type == type) return facts->a_un.a_val;
  }
  return 0;
}

// Writes the folder above bin/ into `out`: of this program's file or, without a /proc, of the path
// that it was started by.
static void find_root(const Elf64_auxv_t* facts, char* out) {
  long size =
      call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)out, kPathSize - 1, 0, 0);
  if (size <= 0) {
    size = 0;
    out[0] = '\0';
    const char* started = (const char*)value_of(facts, AT_EXECFN);
    if (started != NULL) {
      append(out, started);
      size = (long)length_of(out);
    }
  }
  for (int parts = 2; size > 0; --size) {
    if (out[size - 1] == '/' && --parts == 0) break;
  }
  if (size > 0) --size;
  out[size] = '\0';
  if (size == 0) append(out, "..");  // was started as "reveal", in bin/
}

struct Loader {
  uintptr_t base;
  uintptr_t entry;
  uintptr_t headers;
  size_t header_count;
};

static uintptr_t map(uintptr_t at, size_t size, int protection, int flags, int fd, size_t offset,
                     const char* path) {
  const long out = call(SYS_mmap, (long)at, (long)size, protection, flags, fd, (long)offset);
  if (out < 0 && out > -kPage) give_up("cannot be mapped", path);
  return (uintptr_t)out;
}

// Maps a segment of the file, and what it has beyond the file as zeros: to the end of the page, as
// the kernel does, because the loader takes its first memory from what is left of it.
static void map_segment(const Elf64_Phdr* segment, uintptr_t base, int fd, const char* path,
                        uintptr_t page) {
  const uintptr_t begin = (base + segment->p_vaddr) & ~(page - 1);
  const uintptr_t file_end = base + segment->p_vaddr + segment->p_filesz;
  const uintptr_t end = base + segment->p_vaddr + segment->p_memsz;
  const size_t before = segment->p_vaddr & (page - 1);
  int protection = 0;
  if (segment->p_flags & PF_R) protection |= PROT_READ;
  if (segment->p_flags & PF_W) protection |= PROT_WRITE;
  if (segment->p_flags & PF_X) protection |= PROT_EXEC;
  map(begin, file_end - begin, protection, MAP_PRIVATE | MAP_FIXED, fd, segment->p_offset - before,
      path);
  if (end == file_end) return;
  const uintptr_t pages = (file_end + page - 1) & ~(page - 1);
  for (volatile char* byte = (char*)file_end; (uintptr_t)byte < pages; ++byte) *byte = 0;
  if (end > pages)
    map(pages, end - pages, protection, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0, path);
}

static struct Loader load(const char* path, uintptr_t page) {
  union {
    Elf64_Ehdr head;
    char bytes[sizeof(Elf64_Ehdr) + kMostSegments * sizeof(Elf64_Phdr)];
  } file;
  const int fd = (int)call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
  if (fd < 0) give_up("cannot be opened", path);
  const long size = call(SYS_pread64, fd, (long)file.bytes, sizeof(file.bytes), 0, 0, 0);
  const Elf64_Ehdr* head = &file.head;
  if (size < (long)sizeof(Elf64_Ehdr) || head->e_ident[1] != 'E' || head->e_type != ET_DYN ||
      head->e_phoff != sizeof(Elf64_Ehdr) || head->e_phnum > kMostSegments ||
      size < (long)(sizeof(Elf64_Ehdr) + head->e_phnum * sizeof(Elf64_Phdr))) {
    give_up("is not the loader", path);
  }
  const Elf64_Phdr* segments = (const Elf64_Phdr*)(file.bytes + sizeof(Elf64_Ehdr));
  uintptr_t end = 0;
  for (size_t i = 0; i < head->e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD) end = segments[i].p_vaddr + segments[i].p_memsz;
  }
  const uintptr_t base = map(0, end, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0, path);
  for (size_t i = 0; i < head->e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD) map_segment(&segments[i], base, fd, path, page);
  }
  call(SYS_close, fd, 0, 0, 0, 0, 0);
  return (struct Loader){base, base + head->e_entry, base + head->e_phoff, head->e_phnum};
}

// What the kernel tells a loader that is executed itself.
static void tell_of(const struct Loader* loader, Elf64_auxv_t* facts) {
  for (; facts->a_type != AT_NULL; ++facts) {
    if (facts->a_type == AT_PHDR) facts->a_un.a_val = loader->headers;
    if (facts->a_type == AT_PHNUM) facts->a_un.a_val = loader->header_count;
    if (facts->a_type == AT_ENTRY) facts->a_un.a_val = loader->entry;
    if (facts->a_type == AT_BASE) facts->a_un.a_val = 0;
  }
}

static const char* library_path_of(char** environment) {
  static const char kName[] = "LD_LIBRARY_PATH=";
  for (; *environment != NULL; ++environment) {
    size_t i = 0;
    while (kName[i] != '\0' && (*environment)[i] == kName[i]) ++i;
    if (kName[i] == '\0') return *environment + i;
  }
  return "";
}

// The stack as the kernel makes it: the number of words, the words, the environment, facts of the
// kernel.
__attribute__((used)) _Noreturn void launch(uintptr_t* stack) {
  const size_t count = stack[0];
  char** words = (char**)(stack + 1);
  char** environment = words + count + 1;
  char** end = environment;
  while (*end != NULL) ++end;
  Elf64_auxv_t* facts = (Elf64_auxv_t*)(end + 1);
  size_t fact_count = 1;
  while (facts[fact_count - 1].a_type != AT_NULL) ++fact_count;

  static char libraries[kPathSize];
  static char loader_path[kPathSize];
  static char program[kPathSize];
  find_root(facts, libraries);
  append(libraries, "/lib/reveal");
  append(loader_path, libraries);
  append(loader_path, "/" LOADER);
  append(program, libraries);
  append(program, "/reveal");
  const char* more = library_path_of(environment);
  if (*more != '\0') {
    append(libraries, ":");
    append(libraries, more);
  }
  const uintptr_t page = value_of(facts, AT_PAGESZ);
  const struct Loader loader = load(loader_path, page == 0 ? kPage : page);
  tell_of(&loader, facts);

  const char* name = count > 0 ? words[0] : "reveal";
  const uintptr_t before[] = {(uintptr_t)loader_path, (uintptr_t) "--library-path",
                              (uintptr_t)libraries,   (uintptr_t) "--argv0",
                              (uintptr_t)name,        (uintptr_t)program};
  const size_t added = sizeof(before) / sizeof(before[0]);
  const size_t rest = count > 0 ? count - 1 : 0;
  const size_t size = 1 + added + rest + 1 + (size_t)(end - environment) + 1 + 2 * fact_count;
  uintptr_t* fresh = __builtin_alloca_with_align(8 * (size + 2), 128);
  uintptr_t* at = fresh;
  *at++ = added + rest;
  copy_words(&at, before, added);
  copy_words(&at, (const uintptr_t*)(words + 1), rest);
  *at++ = 0;
  copy_words(&at, (const uintptr_t*)environment, (size_t)(end - environment) + 1);
  copy_words(&at, (const uintptr_t*)facts, 2 * fact_count);
  go_on(loader.entry, fresh);
}
