import { Failure } from '../cli/failure.ts';
import { numberOption, typedOptions } from '../cli/typed-options.ts';

/** Options of `npm run page --`, parsed. */
export type PageOptions = ServeOptions | BuildOptions;

/** Serves the page while it is developed. */
export interface ServeOptions {
  readonly kind: 'serve';
  /** The port; undefined means the first free one from {@link FIRST_PORT} on. */
  readonly port: number | undefined;
  /** The kata whose failure the page shows first, as typed: `24`. */
  readonly failure: string | undefined;
}

/** Writes the page as a static site. */
export interface BuildOptions {
  readonly kind: 'build';
  /** The folder, as typed; undefined means the default. */
  readonly out: string | undefined;
}

/** The port of the page, if it is free. */
export const FIRST_PORT = 5173;

/** The usage of `npm run page`. */
export const PAGE_HELP: readonly string[] = [
  'npm run page                      serves a page with a whole cluster, until Ctrl-C',
  'npm run page -- --build           writes the page as a static site',
  '',
  '  --failure 24         shows the last failure of kata 24',
  `  --port 8080          sets the port; the first free one from ${FIRST_PORT} on by default`,
  '  --out DIR            with --build: writes the site there; dist-page by default',
];

const OPTIONS = {
  build: { type: 'boolean' },
  out: { type: 'string' },
  port: { type: 'string' },
  failure: { type: 'string' },
} as const;

const USAGE =
  'Type npm run page, with -- before any of: --failure 24, --port 8080, or --build, --out DIR. ' +
  'npm run page -- --help explains them.';

/**
 * Parses the options of `npm run page --`.
 *
 * @throws Failure with the reason and the options that exist
 */
export function pageOptions(words: readonly string[]): PageOptions {
  const { build, out, port, failure } = typedOptions(words, OPTIONS, misused);
  if (build) {
    const foreign = port !== undefined ? 'port' : failure !== undefined ? 'failure' : undefined;
    if (foreign !== undefined) throw misused(`--${foreign} is for a page that is served, not for --build`);
    return { kind: 'build', out };
  }
  if (out !== undefined) throw misused('--out needs --build');
  const bounds = { fallback: 0, min: 1, max: 65_535, whole: true };
  return {
    kind: 'serve',
    port: port === undefined ? undefined : numberOption('port', port, bounds, misused),
    failure,
  };
}

const misused = (why: string): Failure => new Failure('start the page', why, USAGE);
