import type { Red } from './run.ts';

/** A red as text: what is broken, and the requests that break it, to paste into a test that replays them. */
export function toldAs({ why, requests }: Red): string {
  const lines = requests.map((request) => `  ${JSON.stringify(request)},`);
  return [why, '', 'expect(await replay([', ...lines, '])).toBeUndefined();'].join('\n');
}
