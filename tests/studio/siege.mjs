// SPDX-License-Identifier: MIT
// Strangers who hold on to the server by every means they have, while somebody with the key gets the page and saves a
// scene, which must stay quick. Everything is on loopback and ends with this process.
// Usage: node siege.mjs PORT KEY BIG_FILE_OF_THE_PAGE COUNT...
import net from 'node:net';
import { exchange } from './exchange.mjs';

const [port, key, big] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
const counts = process.argv.slice(5).map(Number);
const PATIENCE = 4; // seconds that the one with the key may wait, on a machine that is busy with other tests
const host = `Host: 127.0.0.1:${port}\r\n`;
const put = `PUT /api/files/siege.json HTTP/1.1\r\n${host}`;

// How each stranger begins; what it drips afterwards; whether it must be told no, and gone, while it still drips.
const ways = {
    'heads that never end': { first: `GET / HTTP/1.1\r\n${host}X: `, drip: 'x' },
    'nothing at all': { first: '' },
    'nothing, again and again': { first: '', again: true },
    'bodies without the key': { first: `${put}Content-Length: 60000000\r\n\r\n`, drip: 'x', refused: true },
    'bodies with a wrong key': { first: `${put}X-Lope-Key: ${'0'.repeat(32)}\r\nContent-Length: 60000000\r\n\r\n`, drip: 'x', refused: true },
    'expecting to go on': { first: `${put}Expect: 100-continue\r\nContent-Length: 60000000\r\n\r\n`, refused: true },
    'bodies at full speed': { first: `${put}Content-Length: 60000000\r\n\r\n`, drip: Buffer.alloc(1 << 16), fast: true, refused: true },
    'the page, never read': { first: `GET /${big} HTTP/1.1\r\n${host}\r\n`, deaf: true },
    'the page, in sips': { first: `GET /${big} HTTP/1.1\r\n${host}\r\n`, sips: true, again: true },
    'one request after another': { first: `GET /api/state HTTP/1.1\r\n${host}\r\n`, again: true, refused: true },
};

class Stranger {
    answer = '';
    refusals = 0;

    constructor(way) {
        this.way = way;
        this.connect();
    }

    connect() {
        const { first, drip, deaf, sips, again, fast } = this.way;
        this.gone = false;
        const socket = (this.socket = net.connect(port, '127.0.0.1'));
        this.connected = new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
        socket.write(first);
        if (deaf) socket.pause();
        else socket.on('data', (data) => ((this.answer = data.toString('latin1', 0, 12)), sips && socket.pause()));
        const more = () => (sips ? socket.resume() : fast && socket.writableLength > 1 << 20 ? 0 : socket.write(drip));
        const timer = drip || sips ? setInterval(more, fast ? 5 : sips ? 50 : 100) : 0;
        socket.on('error', () => {});
        socket.on('close', () => {
            clearInterval(timer);
            this.gone = true;
            this.refusals += this.answer === 'HTTP/1.1 403';
            if (again && !this.over) this.connect();
        });
    }

    end() {
        this.over = true;
        this.socket.destroy();
    }
}

async function until(holds, seconds) {
    const end = Date.now() + 1000 * seconds;
    while (!holds() && Date.now() < end) await new Promise((later) => setTimeout(later, 10));
    return holds();
}

// Gets the page, saves and reads again; the longest of them in milliseconds.
async function visit(number) {
    const scene = JSON.stringify({ number });
    const own = `${host}X-Lope-Key: ${key}\r\n`;
    const requests = [
        [`GET / HTTP/1.1\r\n${host}\r\n`, /^HTTP\/1\.1 200/],
        [`PUT /api/files/siege.json HTTP/1.1\r\n${own}If-Match: *\r\nContent-Length: ${scene.length}\r\n\r\n${scene}`, /^HTTP\/1\.1 200/],
        [`GET /api/files/siege.json HTTP/1.1\r\n${own}\r\n`, new RegExp(`^HTTP/1\\.1 200[^]*"number":${number}}$`)],
    ];
    let worst = 0;
    for (const [request, wanted] of requests) {
        const begun = performance.now();
        const answer = await exchange(port, request, 8);
        worst = Math.max(worst, performance.now() - begun);
        if (!wanted.test(answer)) throw new Error(`unexpected answer: ${answer.slice(0, 60)}`);
    }
    return worst;
}

let failures = 0;
const complain = (text) => (console.log(`FAILED: ${text}`), failures++);

async function siege(name, count) {
    const strangers = Array.from({ length: count }, () => new Stranger(ways[name]));
    try {
        await Promise.all(strangers.map(({ connected }) => connected));
        let worst = 0;
        for (let i = 0; i < 3; i++) worst = Math.max(worst, await visit(i));
        console.log(`${count} strangers, ${name}: ${worst.toFixed(0)} ms at worst`);
        if (worst > 1000 * PATIENCE) complain(`${count} strangers, ${name}: waited ${worst.toFixed(0)} ms`);
        const told = () => strangers.filter(({ refusals }) => refusals > 0).length;
        // More than the server has places for may find theirs taken before they have said a word.
        if (ways[name].refused && !(await until(() => told() >= Math.min(count, 200), 10))) complain(`${name}: ${told()} of ${count} were told no`);
    } catch (problem) {
        complain(`${count} strangers, ${name}: ${problem.message}`);
    }
    for (const stranger of strangers) stranger.end();
}

for (const count of counts) for (const name of Object.keys(ways)) await siege(name, count);
process.exit(failures ? 1 : 0);
