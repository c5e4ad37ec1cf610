import { expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from '../../contracts/node/index.ts';
import { channelStreams } from './channels.ts';

const STDIN = 0;
const CLOSE = 255;

test('Channels carry bytes that are no text, and characters that are cut, as they are', async () => {
  const heard: string[] = [];
  const socket = {
    messages: (async function* () {
      yield Uint8Array.of(STDIN, 0x61, 0xff, 0xc3);
      yield Uint8Array.of(STDIN, 0xa9, 0x62, 0xe2);
      yield Uint8Array.of(CLOSE, STDIN);
    })(),
    async send(message: Uint8Array) {
      heard.push(textOfBytes(message));
    },
    close: () => {},
  };
  const wanted = { stdin: true, stdout: true, stderr: false, tty: false };
  const { streams } = channelStreams(socket, wanted);
  const typed: string[] = [];
  for await (const text of streams.stdin ?? []) typed.push(text);
  expect(typed).toEqual(['a\udcff', 'éb', '\udce2']);
  expect([...bytesOfText(typed.join(''))]).toEqual([0x61, 0xff, 0xc3, 0xa9, 0x62, 0xe2]);
  streams.stdout(typed.join(''));
  expect(heard).toEqual(['\u0001a\udcff\u00e9b\udce2']);
});
