import { expect, test } from 'vitest';
import { NotImplemented } from './todo.ts';
import { Unwritten } from './unwritten.ts';

test('rejects with the first NotImplemented, and passes on other errors', async () => {
  const unwritten = new Unwritten();
  const refused = new Error('refused');
  expect(() => unwritten.meet(refused)).toThrow(refused);
  const missing = new NotImplemented('24-deployment', 'syncDeployment', 'Level 9');
  expect(() => unwritten.meet(missing)).toThrow(missing);
  await expect(unwritten.met).rejects.toBe(missing);
});
