/** A learner's file, as the development server offers it. */
export interface OwnFile {
  /** `23-replicaset` */
  readonly kata: string;
  /** `katas/23-replicaset/replicaset.ts` */
  readonly file: string;
  /** The address of the module. */
  readonly url: string;
  /** The functions that still call `todo`. */
  readonly unwritten: readonly string[];
  /** Whether all laws of the kata held in its last run, on this very code. */
  readonly isDone: boolean;
}

/** A kata whose parts can be switched between the reference and the learner's file. */
export interface OwnKata extends Omit<OwnFile, 'url'> {
  /** The parts of a cluster that it builds: `replicaSetController`. */
  readonly parts: readonly string[];
  /** Whether the cluster runs the learner's file. */
  readonly isUsed: boolean;
  /** How often the file has been loaded; 0 before the first time. */
  readonly version: number;
  /** Why the newest text of the file cannot be loaded. The version before it stays. */
  readonly error?: string;
}

/** A position in a script of the page, as a stack shows it. */
export interface ScriptPlace {
  readonly url: string;
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** The addresses of the development server that serve the learner's files. The static site does not have them. */
export const OWN_FILES_URL = '/__own/files';
export const OWN_PLACE_URL = '/__own/place';
export const OWN_OBJECTION_URL = '/__own/objection';
/** The event of the development server after a file of a kata was saved. Its data: the {@link OwnFile}. */
export const OWN_SAVED = 'katas:saved';
