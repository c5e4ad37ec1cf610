import type { Recipe } from '../protocol/recipe.ts';
import { recipeObjection } from './recipe-shape.ts';

/** The version of the format. A page reads only its own. */
const VERSION = '1';

const NAME = 'run';

/** The format of the stream. It has a checksum, so a damaged address is noticed. */
const FORMAT = 'deflate';

/** The longest recipe that a page unpacks, in bytes: an address of a few KB could ask for more memory than there is. */
const RECIPE_BYTES_MAX = 2_000_000;

/** The recipe of an address, or why it has none. */
export type AddressContent =
  | { readonly recipe: Recipe; readonly error?: undefined }
  | { readonly recipe?: undefined; readonly error: string };

/**
 * Returns the part of an address after `#` that holds a recipe: `run=1.…`. It is JSON, deflated, in base64url, with the
 * version of the format before it.
 */
export async function fragmentOf({ seed, nodes, actions }: Recipe): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify([seed, nodes, actions]));
  const packed = await through(json, new CompressionStream(FORMAT));
  return `${NAME}=${VERSION}.${toBase64Url(packed)}`;
}

/**
 * Returns the recipe in the part of an address after `#`, or an error for a damaged one. Undefined if the address has no
 * recipe.
 *
 * @param fragment with or without `#`
 */
export async function recipeIn(fragment: string): Promise<AddressContent | undefined> {
  const text = new URLSearchParams(fragment.replace(/^#/, '')).get(NAME);
  if (text === null) return undefined;
  const [, version, packed] = /^(\d+)\.([\w-]+)$/.exec(text) ?? [];
  if (version === undefined || packed === undefined) {
    return failed('it is damaged. Copy it again, whole.');
  }
  if (version !== VERSION) {
    return failed(`its format has the version ${version}, and this page reads version ${VERSION}.`);
  }
  const value = await unpacked(packed);
  if (value === undefined) return failed('it is damaged, perhaps cut off. Copy it again, whole.');
  const [seed, nodes, actions] = Array.isArray(value) ? value : [];
  const recipe = { seed, nodes, actions };
  const objection = recipeObjection(recipe);
  return objection === undefined ? { recipe: recipe as Recipe } : failed(`${objection}.`);
}

function failed(why: string): AddressContent {
  return { error: `Failed to read the run in this address: ${why}` };
}

/** Returns the value of a packed text; undefined for a damaged one. */
async function unpacked(packed: string): Promise<unknown> {
  try {
    const bytes = await through(fromBase64Url(packed), new DecompressionStream(FORMAT));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** Sends bytes through a stream. @throws Error for damaged bytes, or for more than {@link RECIPE_BYTES_MAX} */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
    if (length <= RECIPE_BYTES_MAX) continue;
    await reader.cancel();
    throw new RangeError(`more than ${RECIPE_BYTES_MAX} bytes`);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
}
