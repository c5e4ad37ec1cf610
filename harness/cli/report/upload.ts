import type { Participant } from './participant.ts';
import { type GroupReport, type KataReport, REPORT_VERSION, type Report } from './report.ts';

/** The message of a participant to a room. */
export interface Upload {
  readonly participant: Participant;
  readonly report: Report;
}

/** An upload that a room rejects. The message is a sentence for its sender. */
export class BadUpload extends Error {
  override readonly name = 'BadUpload';
}

/**
 * Parses the body of an upload. It checks every field that a room reads, and nothing else: later versions can add fields.
 *
 * @throws BadUpload when the text is not an upload
 */
export function parseUpload(text: string): Upload {
  const { participant, report } = objectOf(jsonOf(text), 'The upload');
  const { id, name } = objectOf(participant, 'participant');
  if (typeof id !== 'string' || !/^[\w-]{8,64}$/.test(id))
    throw new BadUpload('participant.id must have 8 to 64 letters, digits or hyphens.');
  if (name !== undefined && (typeof name !== 'string' || name.length > NAME_MAX))
    throw new BadUpload(`participant.name must be a text of at most ${NAME_MAX} characters.`);
  mustBeReport(report);
  return { participant: name === undefined ? { id } : { id, name }, report };
}

const NAME_MAX = 200;
const KATAS_MAX = 200;
const GROUPS_MAX = 200;

function mustBeReport(value: unknown): asserts value is Report {
  const { version, at, katas } = objectOf(value, 'report');
  if (version !== REPORT_VERSION)
    throw new BadUpload(
      `This room reads reports of version ${REPORT_VERSION}, not of version ${shortly(version)}. Update the older workbook with git pull.`,
    );
  mustBeTime(at, 'report.at');
  const ids = listOf(katas, 'report.katas', KATAS_MAX).map((kata, index) => {
    mustBeKata(kata, `report.katas[${index}]`);
    return kata.id;
  });
  if (new Set(ids).size < ids.length) throw new BadUpload('report.katas lists a kata twice.');
}

const STATES: readonly unknown[] = ['not begun', 'begun', 'failing', 'done'] satisfies KataReport['state'][];

function mustBeKata(value: unknown, where: string): asserts value is KataReport {
  const { id, state, place, changedAt, touchedAt, laws } = objectOf(value, where);
  if (typeof id !== 'string' || !/^\d\d-[\w-]{1,40}$/.test(id))
    throw new BadUpload(`${where}.id must be the name of a kata, such as 23-replicaset.`);
  if (!STATES.includes(state)) throw new BadUpload(`${where}.state must be one of: ${STATES.join(', ')}.`);
  if (place !== undefined && (typeof place !== 'string' || place.length > NAME_MAX))
    throw new BadUpload(`${where}.place must be a text of at most ${NAME_MAX} characters.`);
  if (changedAt !== undefined) mustBeTime(changedAt, `${where}.changedAt`);
  if (touchedAt !== undefined) mustBeTime(touchedAt, `${where}.touchedAt`);
  for (const [index, group] of listOf(laws, `${where}.laws`, GROUPS_MAX).entries())
    mustBeGroup(group, `${where}.laws[${index}]`);
}

const COUNTS = ['passed', 'failed', 'undecided', 'notRun'] as const satisfies (keyof GroupReport)[];

function mustBeGroup(value: unknown, where: string): void {
  const group = objectOf(value, where);
  if (typeof group.optional !== 'boolean') throw new BadUpload(`${where}.optional must be true or false.`);
  for (const name of COUNTS) {
    const count = group[name];
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > 10_000)
      throw new BadUpload(`${where}.${name} must be a whole number from 0 to 10000.`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadUpload('The upload is not JSON.');
  }
}

function objectOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadUpload(`${where} must be an object.`);
  return value as Record<string, unknown>;
}

function listOf(value: unknown, where: string, max: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > max)
    throw new BadUpload(`${where} must be a list of at most ${max} entries.`);
  return value;
}

function mustBeTime(value: unknown, where: string): void {
  if (
    typeof value !== 'string' ||
    !/^\d{4}-\d\d-\d\dT[\d:.]{5,15}Z$/.test(value) ||
    Number.isNaN(Date.parse(value))
  )
    throw new BadUpload(`${where} must be a time in UTC, such as 2026-01-31T09:30:00.000Z.`);
}

/** Returns a value from another machine in a form for a sentence. */
function shortly(value: unknown): string {
  return typeof value === 'number' ? String(value) : `"${String(value).slice(0, 20)}"`;
}
