/** Whether a file, or the URL of a module, belongs to a kata or to a solution, tests included. */
export function isWorkbookFile(file: string): boolean {
  return /\/(katas|solutions)\/\d\d-/.test(file);
}

/** Whether it is code under test: a file of a kata or solution that is neither a test nor a fixture of one. */
export function isUnderTest(file: string): boolean {
  return isWorkbookFile(file) && !/\.(test|fixture)\.ts(\?|$)/.test(file);
}
