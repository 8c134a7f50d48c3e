// SPDX-License-Identifier: MIT
// The SVG writer behind all pictures: plain elements without style sheets, so that every viewer shows the same.
#include "draw/svg.h"

#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"

static void append(svg *out, const char *text, size_t size)
{
    if (out->failed)
        return;
    if (out->size + size > out->capacity) {
        size_t capacity = out->capacity ? out->capacity * 2 : 1 << 14;
        while (capacity < out->size + size)
            capacity *= 2;
        char *grown = lope_grow(out->text, out->size, capacity);
        if (!grown) {
            out->failed = true;
            return;
        }
        out->text = grown;
        out->capacity = capacity;
    }
    memcpy(out->text + out->size, text, size);
    out->size += size;
}

void svg_free(svg *out)
{
    lope_free(out->text);
    *out = (svg){0};
}

void svg_raw(svg *out, const char *text)
{
    append(out, text, strlen(text));
}

// What XML does not allow although it is UTF-8: control characters, U+FFFE and U+FFFF.
static bool is_forbidden(const char *at)
{
    bool not_a_character = strncmp(at, "\xEF\xBF\xBE", 3) == 0 || strncmp(at, "\xEF\xBF\xBF", 3) == 0;
    return ((unsigned char)*at < 0x20 && *at != '\t') || *at == 0x7F || not_a_character;
}

// Names come from files and may hold anything: what XML does not allow becomes a question mark.
void svg_escaped(svg *out, const char *text)
{
    for (const char *at = text; *at;) {
        size_t length = lope_utf8_length(at);
        if (length == 0 || is_forbidden(at))
            append(out, "?", 1);
        else if (*at == '<')
            svg_raw(out, "&lt;");
        else if (*at == '>')
            svg_raw(out, "&gt;");
        else if (*at == '&')
            svg_raw(out, "&amp;");
        else if (*at == '"')
            svg_raw(out, "&quot;");
        else
            append(out, at, length);
        at += length ? length : 1;
    }
}

void svg_number(svg *out, double value)
{
    char digits[32];
    double clamped = value > 1e12 ? 1e12 : value < -1e12 ? -1e12 : value == value ? value : 0.0;
    long long hundredths = (long long)floor(clamped * 100.0 + 0.5);
    bool negative = hundredths < 0;
    unsigned long long rest = negative ? 0ull - (unsigned long long)hundredths : (unsigned long long)hundredths;
    size_t at = sizeof digits;
    unsigned fraction = (unsigned)(rest % 100);
    rest /= 100;
    if (fraction % 10)
        digits[--at] = (char)('0' + fraction % 10);
    if (fraction) {
        digits[--at] = (char)('0' + fraction / 10);
        digits[--at] = '.';
    }
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (negative)
        digits[--at] = '-';
    append(out, digits + at, sizeof digits - at);
}

void svg_attribute(svg *out, const char *name, double value)
{
    append(out, " ", 1);
    svg_raw(out, name);
    append(out, "=\"", 2);
    svg_number(out, value);
    append(out, "\"", 1);
}

void svg_colour_value(svg *out, svg_colour colour)
{
    static const char hex[] = "0123456789abcdef";
    const uint8_t bytes[3] = {colour.red, colour.green, colour.blue};
    char text[7] = {'#'};
    for (int i = 0; i < 3; i++) {
        text[1 + 2 * i] = hex[bytes[i] >> 4];
        text[2 + 2 * i] = hex[bytes[i] & 15];
    }
    append(out, text, sizeof text);
}

static uint8_t mix_channel(uint8_t a, uint8_t b, double t)
{
    return (uint8_t)floor((double)a + ((double)b - (double)a) * t + 0.5);
}

svg_colour svg_mix(svg_colour a, svg_colour b, double t)
{
    return (svg_colour){mix_channel(a.red, b.red, t), mix_channel(a.green, b.green, t), mix_channel(a.blue, b.blue, t)};
}

void svg_group_begin(svg *out, const char *id, const char *title)
{
    svg_raw(out, "<g");
    if (id) {
        svg_raw(out, " id=\"");
        svg_escaped(out, id);
        svg_raw(out, "\"");
    }
    svg_raw(out, ">");
    if (title) {
        svg_raw(out, "<title>");
        svg_escaped(out, title);
        svg_raw(out, "</title>");
    }
    svg_raw(out, "\n");
}

void svg_group_end(svg *out)
{
    svg_raw(out, "</g>\n");
}

static void stroke(svg *out, svg_pen pen)
{
    svg_raw(out, " stroke=\"");
    svg_colour_value(out, pen.colour);
    svg_raw(out, "\"");
    svg_attribute(out, "stroke-width", pen.width);
    if (pen.dash) {
        svg_raw(out, " stroke-dasharray=\"");
        svg_raw(out, pen.dash);
        svg_raw(out, "\"");
    }
}

static void fill_and_outline(svg *out, svg_colour fill, svg_pen outline)
{
    svg_raw(out, " fill=\"");
    svg_colour_value(out, fill);
    svg_raw(out, "\"");
    if (outline.width > 0.0) {
        stroke(out, outline);
        svg_raw(out, " stroke-linejoin=\"round\"");
    }
    svg_raw(out, "/>\n");
}

void svg_line(svg *out, svg_point a, svg_point b, svg_pen pen)
{
    svg_raw(out, "<line");
    svg_attribute(out, "x1", a.x);
    svg_attribute(out, "y1", a.y);
    svg_attribute(out, "x2", b.x);
    svg_attribute(out, "y2", b.y);
    stroke(out, pen);
    svg_raw(out, "/>\n");
}

static void point_list(svg *out, const svg_point *points, int count)
{
    svg_raw(out, " points=\"");
    for (int i = 0; i < count; i++) {
        if (i)
            svg_raw(out, " ");
        svg_number(out, points[i].x);
        svg_raw(out, ",");
        svg_number(out, points[i].y);
    }
    svg_raw(out, "\"");
}

void svg_polyline(svg *out, const svg_point *points, int count, svg_pen pen)
{
    svg_raw(out, "<polyline");
    point_list(out, points, count);
    svg_raw(out, " fill=\"none\"");
    stroke(out, pen);
    svg_raw(out, " stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n");
}

void svg_rect(svg *out, svg_point corner, double width, double height, double rounding, svg_colour fill)
{
    svg_raw(out, "<rect");
    svg_attribute(out, "x", corner.x);
    svg_attribute(out, "y", corner.y);
    svg_attribute(out, "width", width);
    svg_attribute(out, "height", height);
    if (rounding > 0.0)
        svg_attribute(out, "rx", rounding);
    fill_and_outline(out, fill, (svg_pen){0});
}

void svg_circle(svg *out, svg_point centre, double radius, svg_colour fill, svg_pen outline)
{
    svg_raw(out, "<circle");
    svg_attribute(out, "cx", centre.x);
    svg_attribute(out, "cy", centre.y);
    svg_attribute(out, "r", radius);
    fill_and_outline(out, fill, outline);
}

void svg_polygon(svg *out, const svg_point *points, int count, svg_colour fill, svg_pen outline)
{
    svg_raw(out, "<polygon");
    point_list(out, points, count);
    fill_and_outline(out, fill, outline);
}

static void pair(svg *out, double x, double y)
{
    svg_number(out, x);
    svg_raw(out, " ");
    svg_number(out, y);
}

// An arc of a circle to the point at direction (nx, ny) from its centre.
static void arc(svg *out, svg_point centre, double radius, double nx, double ny, bool large)
{
    svg_raw(out, "A");
    pair(out, radius, radius);
    svg_raw(out, large ? " 0 1 1 " : " 0 0 1 ");
    pair(out, centre.x + radius * nx, centre.y + radius * ny);
}

void svg_capsule(svg *out, svg_point a, double radius_a, svg_point b, double radius_b, svg_colour fill, svg_pen outline)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    if (length <= fabs(radius_a - radius_b) + 1e-3) { // seen end on: one circle hides the other
        bool first = radius_a > radius_b;
        svg_circle(out, first ? a : b, first ? radius_a : radius_b, fill, outline);
        return;
    }
    // The outer tangents touch both circles in the directions n that satisfy n . d = (ra - rb) / |d|.
    double cosine = (radius_a - radius_b) / length, sine = sqrt(1.0 - cosine * cosine);
    double ux = dx / length, uy = dy / length;
    double left_x = ux * cosine + uy * sine, left_y = uy * cosine - ux * sine;
    double right_x = ux * cosine - uy * sine, right_y = uy * cosine + ux * sine;
    svg_raw(out, "<path d=\"M");
    pair(out, a.x + radius_a * left_x, a.y + radius_a * left_y);
    svg_raw(out, "L");
    pair(out, b.x + radius_b * left_x, b.y + radius_b * left_y);
    arc(out, b, radius_b, right_x, right_y, cosine < 0.0);
    svg_raw(out, "L");
    pair(out, a.x + radius_a * right_x, a.y + radius_a * right_y);
    arc(out, a, radius_a, left_x, left_y, cosine > 0.0);
    svg_raw(out, "Z\"");
    fill_and_outline(out, fill, outline);
}

void svg_text(svg *out, svg_point at, svg_font font, const char *text)
{
    svg_raw(out, "<text");
    svg_attribute(out, "x", at.x);
    svg_attribute(out, "y", at.y);
    svg_attribute(out, "font-size", font.size);
    if (font.bold)
        svg_raw(out, " font-weight=\"bold\"");
    if (font.anchor >= 0)
        svg_raw(out, font.anchor ? " text-anchor=\"end\"" : " text-anchor=\"middle\"");
    svg_raw(out, " fill=\"");
    svg_colour_value(out, font.colour);
    svg_raw(out, "\"");
    if (font.halo) {
        stroke(out, (svg_pen){*font.halo, 3.0, NULL});
        svg_raw(out, " paint-order=\"stroke\" stroke-linejoin=\"round\"");
    }
    svg_raw(out, ">");
    svg_escaped(out, text);
    svg_raw(out, "</text>\n");
}

double svg_text_width(double font_size, const char *text)
{
    int characters = 0;
    for (; *text; text++)
        characters += ((unsigned char)*text & 0xC0) != 0x80;
    return 0.62 * font_size * characters;
}

static void header(svg *out, double width, double height, svg_colour background, const char *title)
{
    svg_raw(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
    svg_attribute(out, "width", width);
    svg_attribute(out, "height", height);
    svg_raw(out, " viewBox=\"0 0 ");
    pair(out, width, height);
    svg_raw(out, "\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" role=\"img\">\n<title>");
    svg_escaped(out, title);
    svg_raw(out, "</title>\n");
    svg_rect(out, (svg_point){0, 0}, width, height, 0, background);
}

lope_status svg_save(const svg *out, const char *path, double width, double height, svg_colour background,
                     const char *title, lope_error *error)
{
    svg head = {0};
    header(&head, width, height, background, title);
    if (out->failed || head.failed) {
        svg_free(&head);
        return lope_fail_memory(error);
    }
    lope_file_writer writer;
    lope_status status = lope_file_begin(&writer, path, error);
    if (status == LOPE_OK) {
        lope_file_write(&writer, head.text, head.size);
        if (out->size)
            lope_file_write(&writer, out->text, out->size);
        lope_file_write(&writer, "</svg>\n", 7);
        status = lope_file_commit(&writer, error);
    }
    svg_free(&head);
    return status;
}
