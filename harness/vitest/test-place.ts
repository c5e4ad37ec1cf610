import path from 'node:path';
import type { TestCase, TestModule } from 'vitest/node';
import { byTeachingOrder } from '../workbook/katas.ts';
import { isLaws } from './levels.ts';

/** Returns `21-informer`; for a solution with its own tests, the name of the solution. */
export function kataOf({ moduleId }: Pick<TestModule, 'moduleId'>): string {
  return /\/(?:katas|solutions)\/(\d\d-[^/]+)\//.exec(moduleId)?.[1] ?? '';
}

/** Returns the folder: `katas/21-informer`, `solutions/25-garbage-collector`. */
export function folderOf({ moduleId }: Pick<TestModule, 'moduleId'>): string {
  return /\/((?:katas|solutions)\/\d\d-[^/]+)\//.exec(moduleId)?.[1] ?? 'katas';
}

/** Returns the title of the outermost describe, which names the level; a default name without one. */
export function groupOf(test: TestCase): string {
  let group = '';
  for (let parent = test.parent; parent.type === 'suite'; parent = parent.parent) group = parent.name;
  if (group !== '') return group;
  return isLaws(test.module.moduleId) ? 'Laws' : 'Tests';
}

/** Returns the name of a test within its group, including the describes between them. */
export function nameOf(test: TestCase): string {
  const names = [test.name];
  for (let { parent } = test; parent.type === 'suite'; parent = parent.parent) names.unshift(parent.name);
  return (names.length > 1 ? names.slice(1) : names).join(' > ');
}

/** Sorts by kata, and within a kata examples first, then properties, then the rest; each file once. */
export function inTeachingOrder(modules: readonly TestModule[]): readonly TestModule[] {
  return [...new Set(modules)].sort(
    (a, b) => kataOf(a).localeCompare(kataOf(b)) || byTeachingOrder(fileOf(a), fileOf(b)),
  );
}

function fileOf({ moduleId }: TestModule): string {
  return path.basename(moduleId);
}
