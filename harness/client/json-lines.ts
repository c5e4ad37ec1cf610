/**
 * Yields the lines of a stream as they arrive. It yields all complete lines of a chunk at once, because waiting for
 * each would cost more than reading it. Chunk boundaries have no meaning: a line, and even a character, may span
 * several chunks.
 *
 * Empty lines are dropped. The text after the last line break is the last line.
 */
export async function* linesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<readonly string[], void> {
  const decoder = new TextDecoder();
  let pending = '';
  for (;;) {
    const { done, value } = await reader.read();
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = (pending + text).split('\n');
    pending = done ? '' : (lines.pop() ?? '');
    const whole = lines.filter(Boolean);
    if (whole.length > 0) yield whole;
    if (done) return;
  }
}
