/** The assertions about one command. All of them must hold. */
export interface Expectation {
  /** The whole stdout, without surrounding white space. */
  readonly is?: string;
  /** Parts of stdout. */
  readonly out?: string | RegExp | readonly (string | RegExp)[];
  /** Parts of stderr. */
  readonly err?: string | RegExp | readonly (string | RegExp)[];
  /** Text that is in neither. */
  readonly without?: string | readonly string[];
  /** The exit code; `fails` means any but 0. @defaultValue 0 */
  readonly code?: number | 'fails';
  /** Whether the command is repeated until the assertions hold, because a controller acts first. @defaultValue false */
  readonly eventually?: boolean;
}

/** One command of a script, with its assertions. */
export interface Step extends Expectation {
  /** A shell command, run in the folder of the manifests: `kubectl get pods`. `$HOME` is a private folder. */
  readonly command: string;
}

/**
 * One function of upstream's `test/cmd`, as far as this cluster supports it. Its commands run one after another in a
 * private namespace.
 */
export interface Script {
  /** The transcribed function: `core.sh run_pod_tests`. Unique, and in kubernetes/kubernetes@v1.36.3 test/cmd. */
  readonly source: string;
  readonly steps: readonly Step[];
}

/** A command with its assertions. */
export function run(command: string, expected: Expectation = {}): Step {
  return { command, ...expected };
}

/** A command that must fail. */
export function fails(command: string, expected: Expectation = {}): Step {
  return { command, code: 'fails', ...expected };
}

/**
 * Asserts the output of a template for an object, or for a list.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 hack/lib/test.sh kube::test::get_object_assert
 */
export function object(what: string, template: string, expected: string): Step {
  return { command: `kubectl get ${what} -o go-template='${template}'`, is: expected };
}

/**
 * Asserts the output of a template, with repetition until it holds.
 *
 * Upstream: kubernetes/kubernetes@v1.36.3 hack/lib/test.sh kube::test::wait_object_assert
 */
export function eventually(what: string, template: string, expected: string): Step {
  return { ...object(what, template, expected), eventually: true };
}

/** The template of {@link object} for the names of a list, each followed by a colon. */
export const names = '{{range.items}}{{.metadata.name}}:{{end}}';

/** The template of {@link object} for the name of one object. */
export const name = '{{.metadata.name}}';

/** The template of {@link object} that prints `found` if a list contains this name. */
export const found = (of: string): string =>
  `{{range.items}}{{if eq .metadata.name "${of}"}}found{{end}}{{end}}:`;
