import path from 'node:path';
import type { TestCase, TestModule } from 'vitest/node';
import { byTeachingOrder } from '../workbook/katas.ts';
import { isLaws } from './levels.ts';

/** `21-informer`; of a solution that has tests of its own, its name. */
export function kataOf({ moduleId }: Pick<TestModule, 'moduleId'>): string {
  return /\/(?:katas|solutions)\/(\d\d-[^/]+)\//.exec(moduleId)?.[1] ?? '';
}

/** Where it stands: `katas/21-informer`, `solutions/25-garbage-collector`. */
export function folderOf({ moduleId }: Pick<TestModule, 'moduleId'>): string {
  return /\/((?:katas|solutions)\/\d\d-[^/]+)\//.exec(moduleId)?.[1] ?? 'katas';
}

/** The outermost describe, which names the level; a name for the rest where there is none. */
export function groupOf(test: TestCase): string {
  let group = '';
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) group = parent.name;
  if (group !== '') return group;
  return isLaws(test.module.moduleId) ? 'Laws' : 'Tests';
}

/** Kata by kata, and in each the examples before the properties before the rest; each file once. */
export function inTeachingOrder(modules: readonly TestModule[]): readonly TestModule[] {
  return [...new Set(modules)].sort(
    (a, b) => kataOf(a).localeCompare(kataOf(b)) || byTeachingOrder(fileOf(a), fileOf(b)),
  );
}

function fileOf({ moduleId }: TestModule): string {
  return path.basename(moduleId);
}
