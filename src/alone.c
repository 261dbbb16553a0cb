/* A program that does nothing. Linked with one room of the house and the rooms it may use, it shows
 * that the module needs no other. */
int main(void)
{
    return 0;
}
