/**
 * The lines of a stream, as they arrive: all those that a chunk completes at once, because to wait for each would
 * cost more than to read it. Where the transport cuts it into chunks means nothing: a line, and even a character,
 * may be in several.
 *
 * Empty lines are dropped. What stands after the last line break is the last line.
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
