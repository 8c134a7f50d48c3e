// SPDX-License-Identifier: MIT
// Requests over plain sockets, as no browser would send them.
import net from 'node:net';

// Sends `bytes`, closes its side, and waits for the other side to close; the answer.
export function exchange(port, bytes, seconds = 15) {
    return new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1');
        let answer = '';
        const timer = setTimeout(() => {
            socket.destroy();
            reject(new Error(`no end after ${seconds} s: ${String(bytes).slice(0, 80)}`));
        }, 1000 * seconds);
        const end = () => {
            clearTimeout(timer);
            socket.destroy();
            resolve(answer);
        };
        socket.on('data', (data) => (answer += data.toString('latin1')));
        socket.on('close', end);
        socket.on('error', end);
        socket.end(bytes);
    });
}
