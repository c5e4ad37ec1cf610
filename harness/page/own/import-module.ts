import { OWN_OBJECTION_URL } from '../protocol/own.ts';
import type { ImportModule } from './own-parts.ts';

/** Imports a module of the development server in the browser. */
export const importModule: ImportModule = async (url, version) => {
  const versioned = `${url}?own=${version}`;
  // A browser does not say why it cannot import a module. The server knows.
  const answer = await fetch(`${OWN_OBJECTION_URL}?${new URLSearchParams({ url: versioned })}`);
  const objection: unknown = await answer.json();
  if (typeof objection === 'string') throw new Error(objection);
  return import(/* @vite-ignore */ versioned);
};
