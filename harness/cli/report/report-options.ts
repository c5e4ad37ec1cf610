import { parseArgs } from 'node:util';
import { Failure } from '../failure.ts';

/** The options of `npm run kata -- report`, parsed. */
export type ReportOptions = PrintOptions | SendOptions | RoomOptions;

/** Prints the report of this workbook. */
export interface PrintOptions {
  readonly kind: 'print';
  /** Undefined if only the required katas matter: then no report is printed. */
  readonly format: 'json' | 'junit' | undefined;
  /** The file to write; undefined means stdout. */
  readonly out: string | undefined;
  /** The required katas: `23`. */
  readonly require: readonly string[];
}

/** Sends the report of this workbook to a room. */
export interface SendOptions {
  readonly kind: 'send';
  /** The address of the room: `http://leader:8600`. */
  readonly to: URL;
  readonly name: string | undefined;
  /** Whether to send it again after each run. */
  readonly watch: boolean;
}

/** Shows the reports of many workbooks. */
export interface RoomOptions {
  readonly kind: 'room';
  /** The workbooks to read, as typed. */
  readonly folders: readonly string[];
  readonly host: string;
  readonly port: number;
}

/** The usage of `npm run kata -- report`. */
export const REPORT_USAGE: readonly string[] = [
  'npm run kata -- report                         prints the state of each kata, level and law as JSON',
  'npm run kata -- report --format junit          prints it as JUnit XML; --out FILE writes a file',
  'npm run kata -- report --require 23            only checks that kata 23 is done, and exits with 1 if not; can be repeated',
  'npm run kata -- report --to http://leader:8600 sends it to a room once; also --name ada, --watch (after each run)',
  'npm run kata -- report --room                  shows the participants of a workshop, until Ctrl-C',
  'npm run kata -- report --room FOLDER…          also reads clones of the workbook in these folders',
  '                                               also --port 8600, --host 0.0.0.0 (lets other machines report)',
];

/** The port of a room. */
const ROOM_PORT = 8600;

const OPTIONS = {
  format: { type: 'string' },
  out: { type: 'string' },
  require: { type: 'string', multiple: true },
  to: { type: 'string' },
  name: { type: 'string' },
  watch: { type: 'boolean' },
  room: { type: 'boolean' },
  host: { type: 'string' },
  port: { type: 'string' },
} as const;

/** The options that belong to each form of the command. */
const FORMS = {
  print: ['format', 'out', 'require'],
  send: ['to', 'name', 'watch'],
  room: ['room', 'host', 'port'],
} as const;

/**
 * Parses the words after `npm run kata -- report`.
 *
 * @throws Failure with the reason and the usage
 */
export function reportOptions(words: readonly string[]): ReportOptions {
  const { values, positionals } = parsed(words);
  const kind = values.room ? 'room' : values.to === undefined ? 'print' : 'send';
  const foreign = Object.keys(values).find((name) => !FORMS[kind].some((own) => own === name));
  if (foreign !== undefined) throw misused(`--${foreign} needs ${NEEDS[formOf(foreign)]}`);
  if (kind === 'room') {
    const { host = '127.0.0.1', port } = values;
    return { kind, folders: positionals, host, port: portOf(port) };
  }
  const [word] = positionals;
  if (word !== undefined) throw misused(`"${word}" is not an option; folders need --room`);
  if (kind === 'send') {
    return { kind, to: urlOf(values.to ?? ''), name: values.name, watch: values.watch ?? false };
  }
  const { out, require = [] } = values;
  const { format = require.length > 0 && out === undefined ? undefined : 'json' } = values;
  if (format !== undefined && format !== 'json' && format !== 'junit')
    throw misused(`--format takes json or junit, not "${format}"`);
  return { kind, format, out, require };
}

const NEEDS = {
  print: 'a report that is printed, without --to and --room',
  send: '--to with the address of a room',
  room: '--room',
};

function formOf(option: string): keyof typeof FORMS {
  const forms = Object.keys(FORMS) as (keyof typeof FORMS)[];
  return forms.find((form) => FORMS[form].some((own) => own === option)) ?? 'print';
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const [why = ''] = (error as Error).message.split('. ');
    throw misused(why.charAt(0).toLowerCase() + why.slice(1));
  }
}

function portOf(text = String(ROOM_PORT)): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw misused(`--port takes a whole number from 0 to 65535, not "${text}"`);
  return Number(text);
}

function urlOf(text: string): URL {
  const typed = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(typed))
    throw misused(`--to takes the address that the room shows, such as http://leader:8600, not "${text}"`);
  return new URL(typed);
}

function misused(why: string): Failure {
  return new Failure('report', why, `You can type:\n${REPORT_USAGE.map((line) => `  ${line}`).join('\n')}`);
}
