/** Does a file, or the URL of a module, belong to a kata or to a solution, tests included? */
export function isWorkbookFile(file: string): boolean {
  return /\/(katas|solutions)\/\d\d-/.test(file);
}

/** Is it code under test: a file of a kata or solution that is neither a test nor a fixture? */
export function isUnderTest(file: string): boolean {
  return isWorkbookFile(file) && !/\.(test|fixture)\.ts(\?|$)/.test(file);
}
