import { describe, expect, test } from 'vitest';
import type { TestSpecification } from 'vitest/node';
import { Gate } from './gate.ts';

const file = (moduleId: string) => ({ moduleId, testModule: undefined }) as TestSpecification;

describe('The gate before the laws', () => {
  test('opens when all levels of the kata have finished', async () => {
    const gate = new Gate();
    gate.begin([
      file('/katas/01-counter/counter.test.ts'),
      file('/katas/01-counter/counter.properties.test.ts'),
    ]);
    let isOpen = false;
    const opens = gate.opensFor('/katas/01-counter/counter.properties.test.ts').then(() => {
      isOpen = true;
    });
    await Promise.resolve();
    expect(isOpen).toBe(false);
    gate.finish('/katas/01-counter/counter.test.ts');
    await opens;
  });

  test('announces the laws that begin, but only if levels ran before them', async () => {
    const laws = '/katas/01-counter/counter.properties.test.ts';
    const begun: string[] = [];
    const gate = new Gate();
    gate.onOpen((file) => begun.push(file));
    gate.begin([file(laws)]);
    expect(await gate.opensFor(laws)).toBe(true);
    expect(begun).toEqual([]);
    gate.begin([file('/katas/01-counter/counter.test.ts'), file(laws)]);
    gate.finishAll();
    expect(await gate.opensFor(laws)).toBe(true);
    expect(begun).toEqual([laws]);
  });

  test('does not wait for the mistakes of a reference, which are judged in parallel', async () => {
    const gate = new Gate();
    const laws = '/solutions/44-volumes/volumes.properties.test.ts';
    gate.begin([file('/solutions/44-volumes/mistakes.ts'), file(laws)]);
    expect(await gate.opensFor(laws)).toBe(true);
  });
});
