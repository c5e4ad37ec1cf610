import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoints } from '../testing/arbitraries/code-points.ts';
import { linesOf } from './json-lines.ts';

/** Returns the lines of a stream with these chunks. */
async function read(chunks: readonly Uint8Array[]): Promise<string[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const lines: string[] = [];
  for await (const some of linesOf(body.getReader())) lines.push(...some);
  return lines;
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('linesOf', () => {
  test('yields a line as soon as it is complete', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const lines = linesOf(readable.getReader());
    void writer.write(bytes('\n{"a":1}\n{"b":2}\n{"c"'));
    expect(await lines.next()).toEqual({ done: false, value: ['{"a":1}', '{"b":2}'] });
    void writer.write(bytes(':3}\n'));
    expect(await lines.next()).toEqual({ done: false, value: ['{"c":3}'] });
    void writer.close();
    expect((await lines.next()).done).toBe(true);
  });

  test('treats the text after the last line break as a line', async () => {
    expect(await read([bytes('a\nb')])).toEqual(['a', 'b']);
    expect(await read([bytes('a\n')])).toEqual(['a']);
    expect(await read([])).toEqual([]);
  });

  test('Indifferent: chunk boundaries do not change the lines', async () => {
    const line = fc
      .string({ unit: codePoints, minLength: 1 })
      .filter((text) => !text.includes('\n') && !text.startsWith('\ufeff'));
    const cuts = fc.array(fc.nat({ max: 7 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(line), cuts, async (lines, sizes) => {
        let rest = bytes(lines.map((each) => `${each}\n`).join(''));
        const chunks = sizes.map((size) => {
          const chunk = rest.slice(0, size);
          rest = rest.slice(size);
          return chunk;
        });
        expect(await read([...chunks, rest])).toEqual(lines);
      }),
    );
  });
});
