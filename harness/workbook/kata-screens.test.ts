import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runVitest } from '../vitest/fixtures/run-fixture.ts';
import { listScreens } from './screens.ts';
import { root } from './sources.ts';

const screens = listScreens(root);
const drawn = new Map<string, string>();

beforeAll(async () => {
  const config = 'harness/vitest/fixtures/screens/vitest.config.ts';
  // However busy the machine is, inputs are made as small as they can be.
  const { output } = await runVitest(root, ['--config', config], { KATA_SHRINK_MS: '30000' });
  for (const screen of output.split(/^=== /m).slice(1)) {
    const [mistake = '', ...lines] = screen.split('\n');
    drawn.set(mistake, `${lasting(lines.join('\n')).trim()}\n`);
  }
}, 600_000);

test('Every screen is drawn', () => expect([...drawn.keys()]).toEqual(screens.map(({ mistake }) => mistake)));

describe.each(screens)('What a learner sees of $mistake', ({ kata, mistake, tests }) => {
  const screen = (): string => drawn.get(mistake) ?? '';

  test('says what is next, how to see it again and what to read', () => {
    expect(screen()).toContain(`\n next: `);
    expect(screen()).toMatch(new RegExp(` next: .*${tests}`));
    expect(screen()).toContain(`\n replay  `);
    expect(screen()).toContain(`KATA_MISTAKE=${mistake} npx vitest katas/${kata} --project solutions -t '`);
    expect(screen()).toContain(`\n hint    katas/${kata}/README.md, "`);
  });

  test('is a screenful, without a frame of a library', () => {
    expect(screen().split('\n').length).toBeLessThanOrEqual(56);
    expect(screen()).not.toMatch(/node_modules|\bharness\//);
  });

  test('is as it was', () =>
    expect(screen()).toMatchFileSnapshot(path.join(root, 'harness/laws', kata, 'golden', `${mistake}.txt`)));
});

/** A line or a test more is no other screen. */
function lasting(screen: string): string {
  return screen
    .replace(/^( +at \S+:)\d+$/gm, '$1N')
    .replace(/^( +>? *)\d+ │/gm, '$1N │')
    .replace(/[✓✗·]+ {2}\d+\/\d+$/gm, '…')
    .replace(/^( *\S+) {2}\d+\/\d+ {2}\d+ ms$/m, '$1');
}
