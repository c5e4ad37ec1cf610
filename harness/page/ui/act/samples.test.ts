import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { samples } from './samples.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');

test('The first sample is the manifest of npm start', () => {
  expect(samples[0]?.text).toBe(readFileSync(path.join(ROOT, 'docs/web.yaml'), 'utf8'));
});
