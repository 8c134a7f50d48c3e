// SPDX-License-Identifier: MIT
// Affine matrices in double: long chains of scaled nodes cost no digits.
#include "io/affine.h"

affine lope_affine_identity(void)
{
    return (affine){{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};
}

affine lope_affine_mul(const affine *a, const affine *b)
{
    affine result;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            double sum = column == 3 ? a->m[row][3] : 0.0;
            for (int k = 0; k < 3; k++)
                sum += a->m[row][k] * b->m[k][column];
            result.m[row][column] = sum;
        }
    return result;
}

affine lope_affine_from_parts(lope_vec3 translation, lope_quat rotation, lope_vec3 scale)
{
    lope_vec3 x = lope_v3_scale(lope_quat_rotate(rotation, lope_v3(1.0f, 0.0f, 0.0f)), scale.x);
    lope_vec3 y = lope_v3_scale(lope_quat_rotate(rotation, lope_v3(0.0f, 1.0f, 0.0f)), scale.y);
    lope_vec3 z = lope_v3_scale(lope_quat_rotate(rotation, lope_v3(0.0f, 0.0f, 1.0f)), scale.z);
    return (affine){{{(double)x.x, (double)y.x, (double)z.x, (double)translation.x},
                     {(double)x.y, (double)y.y, (double)z.y, (double)translation.y},
                     {(double)x.z, (double)y.z, (double)z.z, (double)translation.z}}};
}

static lope_vec3 column(const affine *a, int index)
{
    return lope_v3((float)a->m[0][index], (float)a->m[1][index], (float)a->m[2][index]);
}

// Unit vectors along the first two columns, made perpendicular; the third follows, which also unmirrors.
static lope_quat rotation_of(const affine *a)
{
    lope_vec3 x = lope_v3_normalize(column(a, 0), lope_v3(1.0f, 0.0f, 0.0f));
    lope_vec3 y = lope_v3_normalize(column(a, 1), lope_v3(0.0f, 1.0f, 0.0f));
    y = lope_v3_normalize(lope_v3_mad(y, x, -lope_v3_dot(x, y)), lope_v3_cross(lope_v3(0.0f, 0.0f, 1.0f), x));
    return lope_quat_normalize(lope_quat_from_axes(x, y, lope_v3_cross(x, y)));
}

lope_vec3 lope_affine_turn(const affine *a, lope_vec3 v)
{
    return lope_v3_mad(lope_v3_mad(lope_v3_scale(column(a, 0), v.x), column(a, 1), v.y), column(a, 2), v.z);
}

lope_vec3 lope_affine_point(const affine *a, lope_vec3 p)
{
    double out[3];
    for (int row = 0; row < 3; row++)
        out[row] = a->m[row][0] * (double)p.x + a->m[row][1] * (double)p.y + a->m[row][2] * (double)p.z + a->m[row][3];
    return lope_v3((float)out[0], (float)out[1], (float)out[2]);
}

bool lope_affine_inverse(const affine *a, affine *out)
{
    const double(*m)[4] = a->m;
    double minors[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            minors[j][i] = m[(i + 1) % 3][(j + 1) % 3] * m[(i + 2) % 3][(j + 2) % 3] -
                           m[(i + 1) % 3][(j + 2) % 3] * m[(i + 2) % 3][(j + 1) % 3];
    double volume = m[0][0] * minors[0][0] + m[0][1] * minors[1][0] + m[0][2] * minors[2][0];
    bool good = isfinite(1.0 / volume);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            out->m[i][j] = minors[i][j] / volume;
        out->m[i][3] = -(out->m[i][0] * m[0][3] + out->m[i][1] * m[1][3] + out->m[i][2] * m[2][3]);
        good = good && isfinite(out->m[i][0]) && isfinite(out->m[i][1]) && isfinite(out->m[i][2]) &&
               isfinite(out->m[i][3]);
    }
    return good;
}

lope_transform lope_affine_rigid(const affine *a)
{
    return (lope_transform){rotation_of(a), column(a, 3)};
}

lope_transform lope_affine_relative(const affine *parent, const affine *child)
{
    lope_quat to_parent = lope_quat_conjugate(rotation_of(parent));
    lope_vec3 offset = {(float)(child->m[0][3] - parent->m[0][3]), (float)(child->m[1][3] - parent->m[1][3]),
                        (float)(child->m[2][3] - parent->m[2][3])};
    return (lope_transform){lope_quat_normalize(lope_quat_mul(to_parent, rotation_of(child))),
                            lope_quat_rotate(to_parent, offset)};
}
