import { expect, test } from 'vitest';
import { bytesOfText, textOfBytes } from '../../contracts/node/index.ts';
import { channelStreams } from './channels.ts';

const STDIN = 0;
const CLOSE = 255;

test('Channels carry binary data and split characters unchanged', async () => {
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
  expect(heard).toEqual(['\u0001', '\u0001a\udcff\u00e9b\udce2']);
});

const none = { stdin: false, stdout: false, stderr: false, tty: false };

test.each([
  [{ ...none, stdin: true, stdout: true, stderr: true }, 1],
  [{ ...none, stdin: true, stderr: true }, 2],
  [{ ...none, stdin: true }, 3],
])('With %j, an empty first message on channel %i reports that the streams are open', (wanted, channel) => {
  const sent: Uint8Array[] = [];
  const messages = (async function* () {})();
  channelStreams({ messages, send: async (message) => void sent.push(message), close: () => {} }, wanted);
  expect(sent).toEqual([Uint8Array.of(channel)]);
});
