import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { fetchFrom } from './fetch.ts';

const url = 'http://apiserver.test/stream';

/** Returns a handler whose response never ends, and the recorded request and cancellation. */
function streaming() {
  const seen: { cancelled: boolean; request?: Request } = { cancelled: false };
  const fetch = fetchFrom(async (request) => {
    seen.request = request;
    return new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
        cancel: () => {
          seen.cancelled = true;
        },
      }),
      { status: 201, headers: { 'X-Name': 'value' } },
    );
  });
  return { fetch, seen };
}

describe('fetchFrom', () => {
  test('passes the request to the handler and returns its response', async () => {
    const fetch = fetchFrom(async (request) =>
      Response.json({ method: request.method, url: request.url, body: await request.text() }),
    );
    const response = await fetch(url, { method: 'POST', body: 'text' });
    expect(await response.json()).toEqual({ method: 'POST', url, body: 'text' });
  });

  test('keeps the status and headers when it wraps the body', async () => {
    const { fetch } = streaming();
    const response = await fetch(url, { signal: new AbortController().signal });
    expect([response.status, response.headers.get('x-name')]).toEqual([201, 'value']);
    await response.body?.cancel();
  });

  test('rejects with the reason if the signal is already aborted', async () => {
    const reason = new Error('enough');
    const { fetch, seen } = streaming();
    await expect(fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(seen.request).toBeUndefined();
  });

  test('rejects with the reason if the signal is aborted before the response', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const answer = fetchFrom(() => new Promise(() => {}))(url, { signal: abort.signal });
    abort.abort(reason);
    await expect(answer).rejects.toBe(reason);
  });

  test('fails the body with the reason and cancels its source if the signal is aborted later', async () => {
    const abort = new AbortController();
    const reason = new Error('enough');
    const { fetch, seen } = streaming();
    const response = await fetch(url, { signal: abort.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
    const next = reader?.read();
    abort.abort(reason);
    await expect(next).rejects.toBe(reason);
    expect(seen.request?.signal.aborted).toBe(true);
    await turn();
    expect(seen.cancelled).toBe(true);
  });

  test.each([true, false])(
    'cancels the source when the body is cancelled, with a signal: %s',
    async (withSignal) => {
      const { fetch, seen } = streaming();
      const response = await fetch(url, withSignal ? { signal: new AbortController().signal } : {});
      await response.body?.cancel();
      await turn();
      expect(seen.cancelled).toBe(true);
    },
  );
});
