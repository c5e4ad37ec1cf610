import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Course, comparableCourse } from './course.ts';
import type { RecordedRequest } from './recorder.ts';
import { type ApplyRow, isApply } from './row.ts';

/** The folder of the golden files. */
export const GOLDEN = path.join(import.meta.dirname, 'golden');

/** Returns the golden file of a row. */
export function goldenFile({ name }: ApplyRow): string {
  return path.join(GOLDEN, `${name}.txt`);
}

/**
 * Returns the content of the golden file of a row: for each apply its output, and a line for each request. A text or a
 * body that is longer than the row allows is kept as its hash.
 */
export function goldenText({ steps, longest }: ApplyRow, course: Course): string {
  const titles = steps.filter(isApply).map(({ title }) => title);
  return comparableCourse(course)
    .flatMap(({ code, out, err, requests }, index) => [
      `# ${titles[index]}: exit code ${code}`,
      ...linesOf(out),
      ...linesOf(err)
        .sort(
          (a, b) =>
            Number(b.startsWith(WARNING)) - Number(a.startsWith(WARNING)) ||
            (a.startsWith(WARNING) ? a.localeCompare(b) : 0),
        )
        .map((line) => `! ${line}`),
      ...requests.map((request) => `> ${lineOf(request, longest)}`),
      '',
    ])
    .join('\n');
}

/** kubectl prints its own warnings and those of the server as they come. */
const WARNING = 'Warning: ';

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function lineOf({ method, path: of, query, contentType, body }: RecordedRequest, longest = Infinity): string {
  const head = `${method} ${of}${query === undefined ? '' : `?${query}`}`;
  if (body === undefined) return head;
  const whole = JSON.stringify(sorted(body));
  const short = JSON.stringify(sorted(body), (_, value: unknown) =>
    typeof value === 'string' ? hashed(value, longest) : value,
  );
  return `${head} ${contentType} ${method === 'POST' ? hashed(whole, longest) : short}`;
}

function hashed(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `sha256 ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/** Returns a value whose objects have their keys in order: on the wire, the order has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}
