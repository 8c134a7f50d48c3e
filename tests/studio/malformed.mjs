// SPDX-License-Identifier: MIT
// Sends requests that no browser would, over plain sockets; each must end (with an answer or without), and afterwards
// the server must still answer. Usage: node malformed.mjs PORT KEY
import { exchange } from './exchange.mjs';

const [port, key] = [Number(process.argv[2]), process.argv[3]];
const host = `Host: 127.0.0.1:${port}\r\nX-Lope-Key: ${key}\r\n`;
const many = 'x: y\r\n'.repeat(500);
const requests = [
    '\r\n\r\n',
    'GET\r\n\r\n',
    'GET /\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\n\r\n`,
    `GET /api/state HTTP/1.1\r\n${host}${host}\r\n`,
    `GET /api/state HTTP/1.1\r\n${host}${many}\r\n`,
    `GET /${'a'.repeat(40000)} HTTP/1.1\r\n${host}\r\n`,
    `GET /api/files/%00.json HTTP/1.1\r\n${host}\r\n`,
    `GET http://evil.example/ HTTP/1.1\r\n${host}\r\n`,
    `GET http://127.0.0.1:${port}/api/state HTTP/1.1\r\n${host}\r\n`,
    `GET * HTTP/1.1\r\n${host}\r\n`,
    `OPTIONS * HTTP/1.1\r\n${host}\r\n`,
    `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\n`,
    `TRACE / HTTP/1.1\r\n${host}\r\n`,
    `PUT /api/files/m.json HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`,
    `PUT /api/files/m.json HTTP/1.1\r\n${host}Content-Length: 99999999999999999999\r\n\r\n`,
    `PUT /api/files/m.json HTTP/1.1\r\n${host}Content-Length: abc\r\n\r\n`,
    `PUT /api/files/m.json HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabc`,
    `PUT /api/files/m.json HTTP/1.1\r\n${host}Content-Length: 50\r\n\r\nshort`,
    `PUT /api/files/m.json HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n`,
    `PUT /api/files/m.json HTTP/1.1\r\n${host}\r\n`,
    `POST /api/builds HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\n\0\0\0`,
    `GET / HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    `GET /api/state HTTP/1.1\nHost: 127.0.0.1:${port}\n\n`,
    Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919) & 255)),
];

let failures = 0;
const answers = await Promise.all(requests.map((bytes) => exchange(port, bytes)));
answers.forEach((answer, i) => {
    if (/^HTTP\/1\.1 (101|5\d\d)/.test(answer)) {
        console.log(`FAILED: ${JSON.stringify(String(requests[i]).slice(0, 100))} got ${answer.slice(0, 40)}`);
        failures++;
    }
});
const after = await exchange(port, `GET /api/state HTTP/1.1\r\n${host}\r\n`);
if (!after.startsWith('HTTP/1.1 200')) {
    console.log(`FAILED: afterwards the server says ${after.slice(0, 60)}`);
    failures++;
}
process.exit(failures ? 1 : 0);
