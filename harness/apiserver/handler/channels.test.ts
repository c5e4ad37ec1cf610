import { expect, test } from 'vitest';
import { channelStreams } from './channels.ts';

const none = { stdin: false, stdout: false, stderr: false, tty: false };

test.each([
  [{ ...none, stdin: true, stdout: true, stderr: true }, 1],
  [{ ...none, stdin: true, stderr: true }, 2],
  [{ ...none, stdin: true }, 3],
])('With %j the first message is an empty one on channel %i: the streams are open', (wanted, channel) => {
  const sent: Uint8Array[] = [];
  const messages = (async function* () {})();
  channelStreams({ messages, send: async (message) => void sent.push(message), close: () => {} }, wanted);
  expect(sent).toEqual([Uint8Array.of(channel)]);
});
