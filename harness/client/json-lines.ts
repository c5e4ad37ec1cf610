/**
 * The lines of a stream, as they arrive. Where the transport cuts it into chunks means nothing: a line, and even
 * a character, may be in several.
 *
 * Empty lines are dropped. What stands after the last line break is the last line.
 */
export async function* linesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let pending = '';
  for (;;) {
    const { done, value } = await reader.read();
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      const whole = pending + line;
      pending = '';
      if (whole) yield whole;
    }
    pending += last;
    if (!done) continue;
    if (pending) yield pending;
    return;
  }
}
