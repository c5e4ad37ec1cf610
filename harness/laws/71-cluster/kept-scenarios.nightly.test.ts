import { expect, test } from 'vitest';
import type { Components } from '../../contracts/component.ts';
import { firstViolation } from './judged.ts';
import { keptScenarios } from './kept-scenarios.ts';

const { components } = (await import('#components')) as { readonly components: Components };

test.each(keptScenarios)('every law holds in a scenario that once failed: $was', async ({ scenario }) => {
  expect(await firstViolation(components, scenario)).toBeUndefined();
});
