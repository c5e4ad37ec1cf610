import { describe, expect, test } from 'vitest';
import { expand } from './expand.ts';

describe('expand', () => {
  const values = new Map([
    ['PORT', '80'],
    ['EMPTY', ''],
    ['NESTED', '$(PORT)'],
  ]);

  test.each([
    ['localhost:$(PORT)', 'localhost:80'],
    ['$(PORT)$(PORT)', '8080'],
    ['[$(EMPTY)]', '[]'],
    ['$(NESTED)', '$(PORT)'],
    ['$(MISSING)', '$(MISSING)'],
    ['$$(PORT)', '$(PORT)'],
    ['$$$(PORT)', '$80'],
    ['$PORT and $(PORT', '$PORT and $(PORT'],
    ['$(PORT) $( $$ $(', '80 $( $ $('],
    ['$$', '$'],
  ])('replaces variables by their values: %s', (text, expanded) => {
    expect(expand(text, (name) => values.get(name))).toBe(expanded);
  });
});
