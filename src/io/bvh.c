#include "lope/bvh.h"
lope_read_def lope_read_def_default(void)
{
    return (lope_read_def){0};
}
