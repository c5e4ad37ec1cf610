import type { Source } from './sources.ts';

/**
 * Returns the citations that are not pinned to a version, as sentences: a branch moves, so the citation becomes wrong.
 */
export function unpinned({ file, text }: Source): readonly string[] {
  const lines = text.split('\n');
  const loose = lines.flatMap((line, index) => {
    if (!mayCite.test(line)) return [];
    const at = `${file}:${index + 1}`;
    return [...looseUpstream(line), ...looseRefs(line), ...looseLinks(line)].map(
      (cited) => `${at} cites ${cited}`,
    );
  });
  // A file may cite a bare symbol after a citation with file and tag.
  const shortened =
    lines.some((line) => /\bUpstream: \w/.test(line) && !line.includes("in Go's standard library")) &&
    !pinned.test(text);
  return shortened ? [...loose, `${file} cites upstream without a tag`] : loose;
}

/** Most lines contain no citation. */
const mayCite = /Upstream: |kubernetes|github/;

const version = String.raw`(?:(?:spec|curl|glibc)-)?v?\d+(?:[._]\d+)+[\w.-]*|[0-9a-f]{40}`;
const repository = String.raw`[\w-]+\/[\w.-]+`;
const exact = new RegExp(`^(?:${version})$`);
const pinned = new RegExp(`${repository}@(?:${version})(?=\\W|$)`);

const upstream = new RegExp(`\\bUpstream: (${repository}(?:@\\S+)?)(?=\\s|$)`);

/** Returns a repository that is cited without a tag. */
function looseUpstream(line: string): readonly string[] {
  const [, cited] = upstream.exec(line) ?? [];
  return cited === undefined || pinned.test(cited) || cited.includes('@') ? [] : [cited];
}

/** Returns repositories of Kubernetes that are cited at a branch. */
function looseRefs(line: string): readonly string[] {
  return [...line.matchAll(/\bkubernetes(?:-\w+)?\/[\w.-]+@[\w./-]*/g)]
    .map(([cited]) => cited)
    .filter((cited) => !pinned.test(cited));
}

/** Returns links to a file or folder of a repository at a branch. */
function looseLinks(line: string): readonly string[] {
  const links =
    /https:\/\/(?:github\.com\/[\w.-]+\/[\w.-]+\/(?:blob|tree|raw)|raw\.githubusercontent\.com\/[\w.-]+\/[\w.-]+)\/([^/\s)>"']+)/g;
  return [...line.matchAll(links)].filter(([, ref = '']) => !exact.test(ref)).map(([link]) => link);
}
