import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { reachesTodo, takesFreeWay } from './free-way.ts';
import { listKatas } from './katas.ts';
import { root } from './sources.ts';

describe('The free way', () => {
  const stub = `
function helper(): number {
  return todo(KATA, 'helper', 'Level 1');
}

class Queue {
  pop(): string {
    return todo(KATA, 'Queue.pop', 'Level 2');
  }
}
`;
  const taken = (component: string) => !reachesTodo(`${stub}${component}`, ['component']);

  test('is taken when the component uses no function that is still todo', () => {
    expect(taken('export const component = () => 1;')).toBe(true);
    expect(taken('const own = () => 1;\nexport async function component() {\n  return own();\n}')).toBe(true);
  });

  test('is not taken when it is todo itself, or uses what is, however indirectly', () => {
    expect(taken("export const component = () => todo(KATA, 'component', 'Level 3');")).toBe(false);
    expect(taken('export const component = () => helper();')).toBe(false);
    expect(taken('const own = () => new Queue();\nexport const component = () => own();')).toBe(false);
  });

  test('may be circular', () => {
    expect(taken('const own = () => component();\nexport const component = () => own();')).toBe(true);
  });
});

const katas = listKatas(root).filter(({ folder, noun }) =>
  readFileSync(path.join(folder, `${noun}.ts`), 'utf8').includes('todo('),
);

describe.each(katas)('The stub of $id', ({ folder }) => {
  test('takes it not', () => expect(takesFreeWay(folder)).toBe(false));
});

test('A folder without laws takes it not', () => expect(takesFreeWay(root)).toBe(false));
