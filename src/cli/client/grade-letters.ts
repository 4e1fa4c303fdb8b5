/** Grades that can be asked for. */
export const gradeLetters = ['A', 'B', 'C', 'D'] as const
