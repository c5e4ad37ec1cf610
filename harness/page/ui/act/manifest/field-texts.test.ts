import { expect, test } from 'vitest';
import { apiTypes } from '../../../../api/table/table.ts';
import { fieldTexts } from './field-texts.ts';

test.each(Object.keys(fieldTexts))('%s is a field of the API', (key) => {
  const [, struct = '', field = ''] = /^(.*)\.(\w+)$/.exec(key) ?? [];
  expect(apiTypes.struct(struct)?.properties.has(field)).toBe(true);
});
