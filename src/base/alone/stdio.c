// SPDX-License-Identifier: MIT
// Formatting a message into memory drags the C library's streams in, and with them calls that the page would have to
// provide. Nobody prints, so they are answered here: there is no such stream.
#include <wasi/api.h>

__wasi_errno_t __wasi_fd_close(__wasi_fd_t stream)
{
    (void)stream;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t stream, __wasi_filedelta_t offset, __wasi_whence_t whence,
                              __wasi_filesize_t *position)
{
    (void)stream, (void)offset, (void)whence, (void)position;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_write(__wasi_fd_t stream, const __wasi_ciovec_t *parts, size_t count, __wasi_size_t *written)
{
    (void)stream, (void)parts, (void)count, (void)written;
    return __WASI_ERRNO_BADF;
}
