import { OWN_OBJECTION_URL } from '../protocol/own.ts';
import type { ImportModule } from './own-parts.ts';

/** Imports a module of the development server in the browser. */
export const importModule: ImportModule = async (url, version) => {
  const versioned = `${url}?own=${version}`;
  try {
    return await import(/* @vite-ignore */ versioned);
  } catch (error) {
    // A browser does not say why a module cannot be fetched. The server knows.
    const words = new URLSearchParams({ url: versioned });
    const answer = await fetch(`${OWN_OBJECTION_URL}?${words}`).catch(() => undefined);
    const objection: unknown = answer?.ok ? await answer.json() : undefined;
    throw typeof objection === 'string' ? new Error(objection, { cause: error }) : error;
  }
};
