import type { Red } from './run.ts';

/** Renders a violation as text: the description, and the requests to paste into a test that replays them. */
export function toldAs({ why, requests }: Red): string {
  const lines = requests.map((request) => `  ${JSON.stringify(request)},`);
  return [why, '', 'expect(await replay([', ...lines, '])).toBeUndefined();'].join('\n');
}
