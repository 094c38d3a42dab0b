project('@name@', 'cpp', 'cuda', default_options: ['buildtype=release'])
patc = find_program('patc')
kernels = custom_target('kernels', input: '@name@.pat', output: ['@BASENAME@.cu', '@BASENAME@.h'], depfile: '@name@.d',
  command: [patc, '-target=cuda', '-o', '@OUTPUT0@', '--header=@OUTPUT1@', '--depfile=@DEPFILE@', '@INPUT@'])
program = executable('@name@', 'main.cu', kernels, cuda_args: '-arch=native', link_args: '-arch=native')
test('kernel', patc, args: ['test', files('@name@.pat')])
test('program', program)
