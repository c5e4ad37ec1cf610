import { describe, expect, it } from 'vitest';
import { newRecipe } from '../protocol/recipe.ts';
import { newRunIn } from './new-run.ts';

describe('The address of a new run', () => {
  it('sets the number of nodes and the seed', () => {
    expect(newRunIn('#nodes=30&seed=7')).toEqual({ nodes: 30, seed: 7, actions: [] });
    expect(newRunIn('seed=0')).toEqual({ ...newRecipe, seed: 0 });
  });

  it.each(['', '#', '#nodes=0', '#nodes=101', '#nodes=three', '#nodes=-1&seed=1.5', '#failure=23'])(
    'is the default for %j',
    (fragment) => expect(newRunIn(fragment)).toEqual(newRecipe),
  );
});
