/** What is asserted of one command. Everything that is given must hold. */
export interface Expectation {
  /** What stdout is, without white space around it. */
  readonly is?: string;
  /** What stdout has in it. */
  readonly out?: string | RegExp | readonly (string | RegExp)[];
  /** What stderr has in it. */
  readonly err?: string | RegExp | readonly (string | RegExp)[];
  /** What is in neither. */
  readonly without?: string | readonly string[];
  /** The exit code; `fails`: any but 0. @defaultValue 0 */
  readonly code?: number | 'fails';
  /** Whether it is asked again until it holds, because a controller has work to do first. @defaultValue false */
  readonly eventually?: boolean;
}

/** One command of a script, and what must come of it. */
export interface Step extends Expectation {
  /** What a shell runs, in the folder of the manifests: `kubectl get pods`. `$HOME` is a folder of its own. */
  readonly command: string;
}

/**
 * What one function of upstream's `test/cmd` does, as far as this cluster serves what it is about. Its commands run one after
 * another in a namespace of its own.
 */
export interface Script {
  /** Where it is transcribed from: `core.sh run_pod_tests`. Unique, and in kubernetes/kubernetes@v1.36.3 test/cmd. */
  readonly source: string;
  readonly steps: readonly Step[];
}

/** A command, and what must come of it. */
export function run(command: string, expected: Expectation = {}): Step {
  return { command, ...expected };
}

/** A command that must fail. */
export function fails(command: string, expected: Expectation = {}): Step {
  return { command, code: 'fails', ...expected };
}

/**
 * Asserts what a template makes of an object, or of a list of them.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 hack/lib/test.sh kube::test::get_object_assert
 */
export function object(what: string, template: string, expected: string): Step {
  return { command: `kubectl get ${what} -o go-template='${template}'`, is: expected };
}

/**
 * Asserts it as soon as it holds.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 hack/lib/test.sh kube::test::wait_object_assert
 */
export function eventually(what: string, template: string, expected: string): Step {
  return { ...object(what, template, expected), eventually: true };
}

/** The template of {@link object} that shows the names of a list, each with a colon behind it. */
export const names = '{{range.items}}{{.metadata.name}}:{{end}}';

/** The template of {@link object} that shows the name of one object. */
export const name = '{{.metadata.name}}';

/** The template of {@link object} that shows `found` for the one of a list that has this name. */
export const found = (of: string): string =>
  `{{range.items}}{{if eq .metadata.name "${of}"}}found{{end}}{{end}}:`;
