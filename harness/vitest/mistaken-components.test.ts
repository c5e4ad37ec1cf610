import { expect, test } from 'vitest';
import type { Components } from '../contracts/component.ts';
import { root } from '../workbook/sources.ts';
import { mistakenComponents } from './mistaken-components.ts';

const { components: reference } = (await import('#components')) as { readonly components: Components };
const load = (what: string): Promise<unknown> => import(/* @vite-ignore */ what);

test('mistakenComponents loads the components of a kata with one mistake', async () => {
  const mistaken = { kata: '51-ipam', mistake: 'gateway-is-given-away' };
  const { ipam, ...others } = await mistakenComponents(root, mistaken, load);
  expect(ipam?.name).toBe(reference.ipam.name);
  expect(ipam).not.toBe(reference.ipam);
  expect(others).toEqual({});
});

test('mistakenComponents rejects an unknown mistake', async () => {
  const mistaken = { kata: '51-ipam', mistake: 'no-such' };
  await expect(mistakenComponents(root, mistaken, load)).rejects.toThrow('51-ipam has no such mistake');
});
