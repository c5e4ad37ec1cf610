import { newRecipe, type Recipe } from '../protocol/recipe.ts';

/** The largest cluster of a page. */
export const NODES_MAX = 100;

/**
 * Returns the recipe of a new run that an address asks for: `#nodes=30&seed=7`. Numbers that are missing or impossible are
 * those of {@link newRecipe}.
 *
 * @param fragment with or without `#`
 */
export function newRunIn(fragment: string): Recipe {
  const words = new URLSearchParams(fragment.replace(/^#/, ''));
  return {
    ...newRecipe,
    nodes: numberIn(words.get('nodes'), 1, NODES_MAX) ?? newRecipe.nodes,
    seed: numberIn(words.get('seed'), 0, Number.MAX_SAFE_INTEGER) ?? newRecipe.seed,
  };
}

function numberIn(text: string | null, min: number, max: number): number | undefined {
  const number = text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
  return number !== undefined && number >= min && number <= max ? number : undefined;
}
