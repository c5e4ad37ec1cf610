import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../api/objects.ts';
import { errors } from '../../api/status.ts';
import type { Watch } from '../../contracts/client.ts';
import { WatchQueue } from '../../contracts/watch-queue.ts';
import { encodeProtobuf } from './encode-protobuf.ts';
import { watchResponse } from './watch-stream.ts';

const object: KubeObject = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2024-04-17T00:00:00Z' },
};

/** Reads a response to `watch` chunk by chunk. */
function streamed(watch: Watch<KubeObject>) {
  const abort = new AbortController();
  const response = watchResponse(watch, abort.signal);
  const reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const next = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read();
    return done ? undefined : new TextDecoder().decode(value);
  };
  return { abort, response, reader, next };
}

describe('watchResponse', () => {
  test('has its headers before the first event', () => {
    const { response } = streamed(new WatchQueue());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  test('sends one line per event', async () => {
    const watch = new WatchQueue();
    const { next } = streamed(watch);
    watch.push({ type: 'ADDED', object });
    expect(await next()).toBe(`{"type":"ADDED","object":${JSON.stringify(object)}}\n`);
    watch.push({ type: 'ERROR', object: errors.tooOldResourceVersion(1, 5).status });
    const told = '"message":"too old resource version: 1 (5)","reason":"Expired","code":410';
    expect(await next()).toBe(
      `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",${told}}}\n`,
    );
  });

  test('sends buffered events in one chunk, up to a limit', async () => {
    const watch = new WatchQueue();
    const { next } = streamed(watch);
    for (let i = 0; i < 2_000; i++) watch.push({ type: 'ADDED', object });
    const chunks = [(await next()) ?? ''];
    while (watch.buffered > 0) chunks.push((await next()) ?? '');
    expect(chunks.join('').split('\n')).toHaveLength(2_001);
    expect(chunks.length).toBeLessThan(20);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(100_000);
  });

  test('ends after the last event when the watch ends', async () => {
    const watch = new WatchQueue();
    const { next } = streamed(watch);
    watch.push({ type: 'ADDED', object });
    watch.end();
    expect([(await next())?.slice(0, 15), await next()]).toEqual(['{"type":"ADDED"', undefined]);
  });

  test('stops the watch when the client stops reading', async () => {
    const watch = new WatchQueue();
    const { reader } = streamed(watch);
    await reader.cancel();
    expect(watch.ended).toBe(true);
  });

  test('stops the watch and ends when the request is aborted', async () => {
    const watch = new WatchQueue();
    const { abort, next } = streamed(watch);
    const last = next();
    abort.abort();
    expect(await last).toBeUndefined();
    expect(watch.ended).toBe(true);
  });

  test('stops the watch of an already aborted request', async () => {
    const watch = new WatchQueue();
    expect(await watchResponse(watch, AbortSignal.abort()).text()).toBe('');
    expect(watch.ended).toBe(true);
  });

  test('reports the reason when the watch breaks', async () => {
    const broken: Watch<KubeObject> = {
      stop() {},
      async *[Symbol.asyncIterator]() {
        yield { type: 'ADDED', object };
        throw new TypeError('boom');
      },
    };
    const { next } = streamed(broken);
    expect((await next())?.slice(0, 15)).toBe('{"type":"ADDED"');
    expect(await next()).toContain('"type":"ERROR"');
  });

  test('sends one protobuf frame per event', async () => {
    const watch = new WatchQueue();
    const response = watchResponse(watch, new AbortController().signal, {
      mediaType: 'application/vnd.kubernetes.protobuf',
    });
    expect(response.headers.get('content-type')).toBe('application/vnd.kubernetes.protobuf;stream=watch');
    watch.push({ type: 'ADDED', object });
    watch.push({ type: 'ERROR', object: errors.tooOldResourceVersion(1, 5).status });
    watch.end();
    const bytes = Buffer.from(await response.arrayBuffer());
    const body = Buffer.from(encodeProtobuf(object));
    const message = Buffer.concat([
      Buffer.from([0x0a, 5, ...Buffer.from('ADDED'), 0x12, body.length + 2, 0x0a, body.length]),
      body,
    ]);
    const length = bytes.readUInt32BE();
    expect([length, bytes.subarray(4, 4 + length).toString('hex')]).toEqual([
      message.length,
      message.toString('hex'),
    ]);
    const next = bytes.readUInt32BE(4 + length);
    expect(bytes.subarray(4 + length + 4)).toHaveLength(next);
    expect(bytes.subarray(4 + length + 4).toString('latin1')).toContain('too old resource version: 1 (5)');
  });
});
