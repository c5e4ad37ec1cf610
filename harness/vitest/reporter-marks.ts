import path from 'node:path';
import type { TestCase, TestModule } from 'vitest/node';
import { byTeachingOrder } from '../workbook/katas.ts';
import type { KataMarks, Mark } from './reporter-screen.ts';

/** The marks of every kata in the run, level by level, then the laws. */
export function marksOf(modules: readonly TestModule[]): readonly KataMarks[] {
  const katas = new Map<string, Map<string, Mark[]>>();
  for (const module of inTeachingOrder(modules)) {
    const groups = katas.get(kataOf(module)) ?? new Map<string, Mark[]>();
    katas.set(kataOf(module), groups);
    for (const test of module.children.allTests()) {
      const group = groupOf(test);
      const marks = groups.get(group) ?? [];
      groups.set(group, marks);
      const { state } = test.result();
      if (state !== 'pending') marks.push(state);
    }
  }
  return [...katas].map(([kata, groups]) => ({
    kata,
    groups: [...groups].map(([name, marks]) => ({ name, marks })),
  }));
}

/** Kata by kata, and in each the examples before the properties before the rest. */
export function inTeachingOrder(modules: readonly TestModule[]): readonly TestModule[] {
  return [...modules].sort(
    (a, b) => kataOf(a).localeCompare(kataOf(b)) || byTeachingOrder(fileOf(a), fileOf(b)),
  );
}

/** `21-informer`; of a solution that has tests of its own, its name. */
export function kataOf({ moduleId }: TestModule): string {
  return /\/(?:katas|solutions)\/(\d\d-[^/]+)\//.exec(moduleId)?.[1] ?? '';
}

/** Where it stands: `katas/21-informer`, `solutions/25-garbage-collector`. */
export function folderOf({ moduleId }: TestModule): string {
  return /\/((?:katas|solutions)\/\d\d-[^/]+)\//.exec(moduleId)?.[1] ?? 'katas';
}

/** The outermost describe, which names the level; a name for the rest where there is none. */
export function groupOf(test: TestCase): string {
  let group = '';
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) group = parent.name;
  if (group !== '') return group;
  return test.module.moduleId.endsWith('.properties.test.ts') ? 'Laws' : 'Tests';
}

function fileOf({ moduleId }: TestModule): string {
  return path.basename(moduleId);
}
