import type { Turns } from '../types.ts';

// A message is a task of the event loop, and comes at once. A browser delays `setTimeout` by 4 ms.
const { port1, port2 } = new MessageChannel();
const callbacks: (() => void)[] = [];
// The types of Node do not have `onmessage`.
Object.assign(port1, { onmessage: () => callbacks.shift()?.() });

export const afterMicrotasks: Turns['afterMicrotasks'] = (callback) => {
  callbacks.push(callback);
  port2.postMessage(undefined);
};
